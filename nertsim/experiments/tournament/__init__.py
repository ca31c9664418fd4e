"""Which of many bots is best, in what order do they stand, and how sure is each of it?"""

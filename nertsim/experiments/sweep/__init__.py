"""What happens as one or two parameters of the rules, of a bot or of a tempo vary?"""

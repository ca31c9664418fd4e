"""Is A better than B, by how much, and after how many deals?"""

"""Has the model found structure, or would chance do as well?"""

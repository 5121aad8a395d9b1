"""How good is this model, from one number per item?"""

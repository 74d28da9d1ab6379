"""How good is the estimate?"""

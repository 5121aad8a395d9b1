"""Several data sets: which model ranks better over all of them?"""

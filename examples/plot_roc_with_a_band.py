"""
A ROC curve with a band for the whole curve
===========================================

A band that holds at each point alone leaves the true curve somewhere far too often. This one holds
the whole curve at once, with 95 % confidence.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

import referee

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:, :4], 1 - y  # positive is malignant; four columns leave something to err about
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
scores = GaussianNB().fit(X_train, y_train).predict_proba(X_test)[:, 1]

referee.RocDisplay.from_predictions(y_test, {"naive Bayes": scores})
plt.show()

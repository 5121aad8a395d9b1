"""Support vector machines: the dual problem, four ways to solve it, and the estimators."""

"""Tests of learners, from several fits on one shared plan."""

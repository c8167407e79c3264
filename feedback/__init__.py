"""Feedback: answers journalled, ratings kept, misroutes found, the router trained."""

"""What each verb does, over the rooms below: a file for each subject."""

"""May it enter, leave, be believed?"""

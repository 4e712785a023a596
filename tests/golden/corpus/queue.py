"""A queue of jobs with retries."""


def retryDelay(attempt):
    """Seconds to wait before an attempt: doubles each time, never more than five minutes."""
    return min(2**attempt, 300)


def parse_job(line):
    """Read one job from its JSON line; raises ValueError for a job without an id."""
    job = json.loads(line)
    if "id" not in job:
        raise ValueError(line)
    return job


class DeadLetterBox:
    """Jobs that failed for good, kept for a week so that a person can look at them."""

    def bury(self, job, reason):
        self.jobs.append((job, reason))

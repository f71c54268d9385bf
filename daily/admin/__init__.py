"""The day in the admin site: challenges and their calendar, attempts and runs, policies, the audit trail."""

from daily.admin.audit import AuditEntryAdmin
from daily.admin.challenges import ChallengeAdmin
from daily.admin.policies import PolicyAdmin
from daily.admin.runs import AttemptAdmin, RunAdmin

__all__ = ["AttemptAdmin", "AuditEntryAdmin", "ChallengeAdmin", "PolicyAdmin", "RunAdmin"]

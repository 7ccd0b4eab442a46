const success = (caption: string) => ({ caption, outcome: "success" as const });
const failure = (caption: string) => ({ caption, outcome: "failure" as const });

/**
 * Every security event, with its caption for people and its usual outcome. An event that changes something has the name of its audit entry,
 * and `recordAudit` records it: a new row here is all that such an event needs.
 */
export const SECURITY_EVENTS = {
  "account.registered": success("Account registered"),
  "account.email-verified": success("Address confirmed"),
  "account.logged-in": success("Logged in"),
  "account.logged-out": success("Logged out"),
  "account.new-login": success("Login from a new browser or network"),
  "account.session-ended": success("Session ended"),
  "account.sessions-ended": success("Several sessions ended"),
  "account.password-changed": success("Password changed"),
  "account.security-question-changed": success("Security question changed"),
  "account.reset-code-sent": success("Password reset code sent"),
  "account.reset-code-accepted": success("Password reset code accepted"),
  "account.email-changed": success("Email address changed"),
  "account.locked": success("Account locked"),
  "account.unlocked": success("Account unlocked"),
  "account.disabled": success("Account disabled"),
  "account.enabled": success("Account enabled"),
  "account.erasure-requested": success("Erasure of personal data requested"),
  "account.erased": success("Personal data erased"),
  "account.data-exported": success("Personal data exported"),
  "account.administrator-created": success("First administrator created"),
  "account.second-requested": success("Second user administrator asked"),
  "account.second-approved": success("Request of a user administrator approved"),
  "account.second-refused": success("Request of a user administrator refused"),
  "account.second-withdrawn": success("Request of a user administrator withdrawn"),
  "account.right-granted": success("Right granted"),
  "account.right-withdrawn": success("Right withdrawn"),
  "account.factor-added": success("Second factor added"),
  "account.factor-renamed": success("Second factor renamed"),
  "account.factor-removed": success("Second factor removed"),
  "account.factors-reset": success("Second factors reset"),
  "account.recovery-codes-made": success("Recovery codes made"),
  "account.recovery-code-used": success("Recovery code used"),
  "account.confirmed": success("Confirmed who is at the browser or program"),
  "account.sign-on-linked": success("Account linked with single sign-on"),
  "account.sign-on-unlinked": success("Account unlinked from single sign-on"),
  "account.sign-on-created": success("Account made by single sign-on"),
  "account.password-allowed": success("Password of staff allowed for a day"),
  "account.acting-allowed": success("Acting as a user requested"),
  "account.acting-started": success("Acting as a user begun"),
  "account.acting-ended": success("Acting as a user ended"),
  "api-client.created": success("API client made"),
  "api-client.changed": success("API client changed"),
  "api-client.secret-added": success("Secret of an API client made"),
  "api-client.secret-ended": success("Secret of an API client ended"),
  "api-client.narrowed": success("API client lost scopes"),
  "api-client.revoked": success("API client revoked"),
  "client.logged-in": success("API client logged in"),
  "partner.signed-in": success("Logged in at a partner"),
  "audit.exported": success("Audit trail exported"),
  "security-events.exported": success("Security events exported"),
  "login.failed": failure("Login failed"),
  "sign-on.refused": failure("Single sign-on refused"),
  "account.throttled": failure("Logins to an account refused for a time"),
  "password.refused": failure("Wrong password in an open session"),
  "reset-code.refused": failure("Password reset code or answer refused"),
  "factor.asked": success("Password accepted, second factor asked"),
  "factor.refused": failure("Second factor refused"),
  "factor.copied": failure("Passkey refused that may be a copy"),
  "access.refused": failure("Access refused"),
  "csrf.refused": failure("Form without a valid token refused"),
  "origin.refused": failure("Form of another site refused"),
  "rate-limit.reached": failure("Rate limit reached"),
  "session.refused": failure("Ended session used"),
  "token.refused": failure("Unknown or ended access token used"),
  "client.refused": failure("API client refused"),
  "link.refused": failure("Unknown or ended link used"),
  "key.of-another-account": failure("Key of another account refused"),
} as const;

export type SecurityEventName = keyof typeof SECURITY_EVENTS;
export type Outcome = "success" | "failure";

export const isSecurityEvent = (name: string): name is SecurityEventName => Object.hasOwn(SECURITY_EVENTS, name);

/** Returns the caption of a stored event, or its name when this version does not know it. */
export const captionOf = (name: string): string => (isSecurityEvent(name) ? SECURITY_EVENTS[name].caption : name);

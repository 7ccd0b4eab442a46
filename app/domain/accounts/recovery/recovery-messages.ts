/** The messages of password recovery, word for word (REC-04). */
export const RECOVERY_MESSAGES = {
  AccountLocked: "Your account is locked. Please contact system administrator for further instructions.",
  InvalidSecurityAnswer: "The security answer provided does not match with the one stored in your profile.",
  InvalidResetCode: "The reset code is not valid or it has expired.",
} as const;

export type RecoveryFailure = keyof typeof RECOVERY_MESSAGES;

/** Why the code in a link cannot be used. The page says so when it opens, before anything is typed. */
export type DeadCode = "over" | "replaced" | "locked";

export const DEAD_CODE_MESSAGES: Readonly<Record<DeadCode, string>> = {
  over: RECOVERY_MESSAGES.InvalidResetCode,
  replaced: `${RECOVERY_MESSAGES.InvalidResetCode} A newer one was sent to you: please use the newest message.`,
  locked: RECOVERY_MESSAGES.AccountLocked,
};

export const PASSWORD_CHANGED = "Your password has been successfully changed.";

/** The headings of the notices about a password's end (LOG-04, LOG-05). PASSWORD_EXPIRY_NEXT follows each. */
export const PASSWORD_EXPIRY = {
  aboutToExpire: "Your password is about to expire",
  expired: "Your password has expired",
  /** For a password that somebody else or the portal made. */
  given: "Please choose a password of your own",
} as const;

export const PASSWORD_EXPIRY_NEXT =
  "You will now be taken to the account management page where you can change your password.";

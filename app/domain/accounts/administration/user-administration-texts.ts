import { type UserAction } from "./user-administration.policy";

/** The maximum length of the reason for locking or disabling an account, in characters. */
export const ACTION_REASON_LIMIT = 500;

interface Texts {
  button: string;
  /** The message after the action. */
  done: string;
  /** The confirmation question. Only actions with consequences have one. */
  question?: string;
}

export const USER_ACTION_TEXTS: Record<UserAction, Texts> = {
  disable: {
    button: "Disable Account",
    done: "The account has been disabled.",
    question: "Are you sure you wish to disable this account? Whoever is logged in with it is logged out.",
  },
  lock: {
    button: "Lock Account",
    done: "The account has been locked.",
    question:
      "Are you sure you wish to lock this account? Nobody can log in to it or reset its password until an administrator unlocks it. Whoever is logged in with it is logged out.",
  },
  enable: {
    button: "Enable Account",
    done: "The account has been enabled.",
    question: "Are you sure you wish to enable this account?",
  },
  unlock: { button: "Unlock Account", done: "The account has been unlocked." },
  "grant-applicant": { button: "Grant Applicant", done: "The right Applicant has been granted." },
  "withdraw-applicant": {
    button: "Withdraw Applicant",
    done: "The right Applicant has been withdrawn.",
    question: "Are you sure you wish to withdraw the right Applicant? The user can order nothing any more.",
  },
  "grant-admin": {
    button: "Grant Admin",
    done: "The right Admin has been granted.",
    question: "Are you sure you wish to grant the right Admin? Administrators see and decide everything in the portal.",
  },
  "withdraw-admin": {
    button: "Withdraw Admin",
    done: "The right Admin has been withdrawn.",
    question: "Are you sure you wish to withdraw the right Admin?",
  },
  "send-verification": {
    button: "Send Verification Link",
    done: "A link is on its way to the user.",
  },
  "end-sessions": {
    button: "End All Sessions",
    done: "All sessions of the account have been ended.",
    question:
      "Are you sure you wish to end all sessions of this account? Whoever is logged in with it is logged out, in browsers and in programs.",
  },
  "log-in-as": { button: "Log in as User", done: "" },
};

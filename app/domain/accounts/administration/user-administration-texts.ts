import { type Right, RIGHT_NAMES } from "../rights.policy";
import { changedRight, type RightsAction, type UserAction } from "./user-administration.policy";

/** The maximum length of the reason for an action on an account, in characters. */
export const ACTION_REASON_LIMIT = 500;

/** The anchors of the cards with the buttons for actions. */
export const ACTION_CARDS = { login: "login", rights: "rights" } as const;

/** Returns the anchor of the card with the button for an action. */
export const actionAnchor = (action: UserAction): string =>
  changedRight(action) ? ACTION_CARDS.rights : ACTION_CARDS.login;

interface Texts {
  button: string;
  /** What the action does, before the email address of the account: "Confirm who you are to disable the account …". */
  aim: string;
  /** The message after the action. */
  done: string;
  /** The confirmation question. Only actions with consequences have one. */
  question?: string;
}

type OtherAction = Exclude<UserAction, RightsAction>;

const OTHER_TEXTS: Record<OtherAction, Texts> = {
  disable: {
    button: "Disable account",
    aim: "disable the account",
    done: "The account has been disabled.",
    question: "Are you sure you wish to disable this account? Whoever is logged in with it is logged out.",
  },
  lock: {
    button: "Lock account",
    aim: "lock the account",
    done: "The account has been locked.",
    question:
      "Are you sure you wish to lock this account? Nobody can log in to it or reset its password until an administrator unlocks it. Whoever is logged in with it is logged out.",
  },
  "reset-factors": {
    button: "Reset second factors",
    aim: "reset the second factors of the account",
    done: "The second factors of the account have been reset.",
    question:
      "Have you made sure that it is the owner of the account who asks for this? When a second user administrator approves it, all second factors and recovery codes of the account are removed, and whoever is logged in with it is logged out.",
  },
  erase: {
    button: "Erase personal data",
    aim: "erase the personal data of the account",
    done: "The personal data of the account has been erased.",
    question:
      "Have you made sure that it is this person who asks for it? Nobody can log in to the account any more, and the name, email address and other details of the person are gone for good.",
  },
  enable: {
    button: "Enable account",
    aim: "enable the account",
    done: "The account has been enabled.",
    question: "Are you sure you wish to enable this account?",
  },
  unlock: { button: "Unlock account", aim: "unlock the account", done: "The account has been unlocked." },
  "send-verification": {
    button: "Send verification link",
    aim: "send a verification link to the account",
    done: "A link is on its way to the user.",
  },
  "send-reset-link": {
    button: "Send reset link",
    aim: "send a link to choose a password to the account",
    done: "The link to choose a password is on its way to the user.",
    question:
      "Are you sure you wish to send this person a link to choose a password? It goes to the address below and replaces earlier links. The password stays as it is until it is used.",
  },
  "withdraw-email": {
    button: "Withdraw new email",
    aim: "withdraw the new email address of the account",
    done: "The new email address has been withdrawn. The account keeps the present one.",
  },
  "end-sessions": {
    button: "End all sessions",
    aim: "end all sessions of the account",
    done: "All sessions of the account have been ended.",
    question:
      "Are you sure you wish to end all sessions of this account? Whoever is logged in with it is logged out, in browsers and in programs.",
  },
  "unlink-sign-on": {
    button: "Unlink single sign-on",
    aim: "unlink from single sign-on the account",
    done: "The account has been unlinked from the identity provider.",
    question:
      "Are you sure you wish to unlink this account from the identity provider? All its sessions end. The next login there with its email address links it again.",
  },
  "log-in-as": { button: "Log in as user", aim: "log in as the user", done: "" },
};

/** What a right allows, for the question before it is granted. */
const ALLOWS: Partial<Record<Right, string>> = {
  admin: "Administrators see and decide everything in the portal.",
  approver: "Approvers decide which certificates are issued.",
  "user-administrator": "User administrators decide about all accounts and their rights.",
};

/** What the user loses, for the question before a right is withdrawn. */
const WITHDRAWN: Partial<Record<Right, string>> = { applicant: " The user can order nothing any more." };

function textsOfChange({ right, isGranted }: { right: Right; isGranted: boolean }): Texts {
  const name = RIGHT_NAMES[right];
  if (!isGranted)
    return {
      button: `Withdraw ${name}`,
      aim: `withdraw the right ${name} from the account`,
      done: `The right ${name} has been withdrawn.`,
      question: `Are you sure you wish to withdraw the right ${name}?${WITHDRAWN[right] ?? ""}`,
    };
  const allows = ALLOWS[right];
  return {
    button: `Grant ${name}`,
    aim: `grant the right ${name} to the account`,
    done: `The right ${name} has been granted.`,
    ...(allows !== undefined && { question: `Are you sure you wish to grant the right ${name}? ${allows}` }),
  };
}

/** Returns the texts of an action on the page of an account. */
export function userActionTexts(action: UserAction): Texts {
  const change = changedRight(action);
  return change ? textsOfChange(change) : OTHER_TEXTS[action as OtherAction];
}

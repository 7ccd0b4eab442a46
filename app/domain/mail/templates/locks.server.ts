import { formatDateTime } from "~/lib/dates";
import { composeMail, type ComposedMail } from "../compose.server";

interface LockedAccount {
  name: string;
  /** The user name of the account. Several accounts may share the email address. */
  username: string;
}

interface Lock extends LockedAccount {
  /** When a lock because of wrong passwords ends; null when an administrator has locked the account. */
  lockedUntil: Date | null;
  url: string;
}

const factsOf = (username: string, lockedUntil: Date | null) =>
  [
    ["User name", username],
    ["Locked until", lockedUntil ? `${formatDateTime(lockedUntil.toISOString())} UTC` : "an administrator unlocks it"],
  ] as const;

/**
 * Informs the owner of a lock. `url` leads to the password recovery or, when an administrator has locked the account, to the portal's
 * contact page.
 */
export const accountLockedMail = ({ name, username, lockedUntil, url }: Lock): ComposedMail =>
  lockedUntil
    ? composeMail({
        subject: "Your account is locked for unknown browsers",
        greeting: name,
        paragraphs: [
          "Several wrong passwords in a row were entered for your account. It is now locked for browsers and networks where you have not logged in before.",
          "A browser in which you have logged in before still lets you in, unless the wrong passwords were entered there.",
        ],
        facts: factsOf(username, lockedUntil),
        next: "Wait until the time above, or reset your password, which ends the lock.",
        action: { label: "Reset your password", url },
        after: [
          "If you mistyped the password, there is nothing else to do. If it was not you, somebody may have tried to guess it. Your password stays as it is, and nobody was let in.",
        ],
      })
    : composeMail({
        subject: "Your account is locked",
        greeting: name,
        paragraphs: [
          "An administrator has locked your account. Nobody can log in to it or reset its password, and its sessions have ended.",
        ],
        facts: factsOf(username, lockedUntil),
        next: "Please contact us to have it unlocked.",
        action: { label: "Contact us", url },
      });

/** Informs the owner of an account that an administrator has disabled it. `url` leads to the portal's contact page. */
export const accountDisabledMail = ({ name, username, url }: LockedAccount & { url: string }): ComposedMail =>
  composeMail({
    subject: "Your account is disabled",
    greeting: name,
    paragraphs: [
      "An administrator has disabled your account. Nobody can log in to it or reset its password, and its sessions have ended.",
    ],
    facts: [["User name", username]],
    next: "Please contact us if you do not know why.",
    action: { label: "Contact us", url },
  });

/** Informs the owner of a disabled account that an administrator has enabled it. `url` leads to the login page. */
export const accountEnabledMail = ({ name, username, url }: LockedAccount & { url: string }): ComposedMail =>
  composeMail({
    subject: "Your account can be used again",
    greeting: name,
    paragraphs: ["An administrator has enabled your account."],
    facts: [["User name", username]],
    next: "You can log in with the same user name and password.",
    action: { label: "Log in", url },
  });

/** Informs a user administrator that the account of another member of staff is locked. `url` leads to that account. */
export const staffLockedMail = ({ name, username, lockedUntil, url }: Lock): ComposedMail =>
  composeMail({
    subject: `The staff account ${username} is locked`,
    greeting: name,
    paragraphs: [
      lockedUntil
        ? "Several wrong passwords in a row were entered for the account of a member of staff. It is now locked for browsers and networks where its owner has not logged in before."
        : "A user administrator has locked the account of a member of staff.",
    ],
    facts: factsOf(username, lockedUntil),
    next: lockedUntil
      ? "Please ask its owner whether it was a mistake."
      : "There is nothing to do. If you do not know why, please ask the other user administrators.",
    action: { label: "Open the account", url },
  });

/** Sent in place of a reset code while an administrator has locked the account. `url` leads to the portal's contact page. */
export const resetRefusedMail = ({ name, username, url }: LockedAccount & { url: string }): ComposedMail =>
  composeMail({
    subject: "Your password cannot be reset",
    greeting: name,
    paragraphs: [
      "Somebody, probably you, asked to reset the password of your account. An administrator has locked this account, so we have sent no reset code.",
    ],
    facts: [["User name", username]],
    next: "Please contact us to have the account unlocked.",
    action: { label: "Contact us", url },
    after: ["If you did not ask to reset your password, you can ignore this message."],
  });

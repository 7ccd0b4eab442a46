import { paths } from "~/lib/paths";
import { contactUrl, serverPaths } from "~/lib/server-paths.server";
import { staffPaths } from "~/lib/staff-paths";
import { AT, type Examples, linkTo, PERSON, TOKEN } from "./example.server";

const NEW_LOGIN = { ...PERSON, at: AT, device: "Firefox on Windows", address: "203.0.113.7" };

const ALERT = {
  detail: "",
  text: "The meaning of the alert, what happens when nobody acts, and what to do.",
  since: "20/11/2026 09:30:00 UTC",
  until: "20/11/2026 11:00:00 UTC",
};

/** Returns the example data of the messages about accounts, their logins and their data. */
export const accountExamples = () => {
  const link = { url: linkTo(serverPaths.verifyEmail(TOKEN)), validFor: "7 days" };
  const forgotten = linkTo(paths.forgotPassword);
  const contact = contactUrl();
  const reset = {
    occasion: "asked" as const,
    name: PERSON.name,
    account: { username: PERSON.username, company: "Example Parts Ltd", isOneOfSeveral: false },
    code: TOKEN,
    url: linkTo(serverPaths.resetCodeLink(TOKEN, PERSON.username)),
    validFor: "60 minutes",
  };
  return {
    verifyEmailMail: [{ kind: "verify-email", title: "a new user", data: link }],
    verifyNewEmailMail: [{ kind: "verify-email", title: "an address changed before it was confirmed", data: link }],
    verifyForMergeMail: [
      { kind: "verify-email", title: "several accounts", data: { ...link, username: PERSON.username } },
    ],
    changeEmailMail: [{ kind: "change-email", title: "", data: link }],
    emailChangeRequestedMail: [
      {
        kind: "email-change",
        title: "asked for by the user",
        data: { name: PERSON.name, email: "anna@example.com", isByStaff: false, at: AT, url: forgotten },
      },
      {
        kind: "email-change",
        title: "asked for by a user administrator",
        data: { name: PERSON.name, email: "anna@example.com", isByStaff: true, at: AT, url: forgotten },
      },
    ],
    emailChangedMail: [
      {
        kind: "email-changed",
        title: "",
        data: { name: PERSON.name, email: "anna@example.com", at: AT, url: contact },
      },
    ],
    resetCodeMail: [
      { kind: "reset-code", title: "one account", data: reset },
      {
        kind: "reset-code",
        title: "several accounts",
        data: { ...reset, account: { ...reset.account, isOneOfSeveral: true } },
      },
      { kind: "reset-code", title: "sent by a user administrator", data: { ...reset, occasion: "sent" } },
      {
        kind: "reset-code",
        title: "a new account",
        data: { ...reset, occasion: "created", validFor: "7 days" },
      },
    ],
    resetRefusedMail: [{ kind: "reset-refused", title: "", data: { ...PERSON, url: contact } }],
    accountLockedMail: [
      { kind: "account-locked", title: "wrong passwords", data: { ...PERSON, lockedUntil: AT, url: forgotten } },
      { kind: "account-locked", title: "by an administrator", data: { ...PERSON, lockedUntil: null, url: contact } },
    ],
    accountDisabledMail: [{ kind: "account-disabled", title: "", data: { ...PERSON, url: contact } }],
    accountEnabledMail: [{ kind: "account-enabled", title: "", data: { ...PERSON, url: linkTo(paths.login()) } }],
    staffLockedMail: [
      {
        kind: "staff-locked",
        title: "",
        data: { ...PERSON, name: "Olga", lockedUntil: AT, url: linkTo(paths.user(1001)) },
      },
    ],
    newLoginMail: [
      { kind: "new-login", title: "a browser", data: { ...NEW_LOGIN, isProgram: false, url: forgotten } },
      {
        kind: "new-login",
        title: "a program",
        data: { ...NEW_LOGIN, isProgram: true, device: "curl/8.5.0", url: forgotten },
      },
    ],
    securityAlertMail: [
      {
        kind: "security-alert",
        title: "",
        data: {
          name: "Olga",
          what: "Right granted",
          facts: [
            ["When", "20/11/2026 09:30:00 UTC"],
            ["What", "Granted the right Admin."],
            ["Account", PERSON.username],
            ["Address", "192.0.2.7"],
          ],
          link: { label: "Open the security events", url: linkTo(staffPaths.securityEvents) },
        },
      },
    ],
    alertMail: [
      {
        kind: "operations-alert",
        title: "",
        data: {
          name: "Olga",
          begun: [{ ...ALERT, title: "The key of issuing-sha2 does not answer" }],
          lasting: [{ ...ALERT, title: "The job 'crl-base' is late" }],
          ended: [{ ...ALERT, title: "The disk of the folder 'data' is nearly full" }],
          url: linkTo(staffPaths.jobs),
        },
      },
    ],
    erasureRequestedMail: [
      {
        kind: "erasure-requested",
        title: "address confirmed",
        data: { name: "Olga", username: PERSON.username, isConfirmed: true, url: linkTo(paths.user(1001)) },
      },
      {
        kind: "erasure-requested",
        title: "address not confirmed",
        data: { name: "Olga", username: PERSON.username, isConfirmed: false, url: linkTo(paths.user(1001)) },
      },
    ],
    erasureWithdrawnMail: [
      {
        kind: "erasure-withdrawn",
        title: "own wish",
        data: { name: "Olga", username: PERSON.username, isEnded: true, url: linkTo(paths.user(1001)) },
      },
      {
        kind: "erasure-withdrawn",
        title: "another reason",
        data: { name: "Olga", username: PERSON.username, isEnded: false, url: linkTo(paths.user(1001)) },
      },
    ],
    dataErasedMail: [{ kind: "data-erased", title: "", data: { name: PERSON.name, at: AT, url: contact } }],
    secondNeededMail: [
      {
        kind: "second-needed",
        title: "",
        data: {
          name: "Olga",
          requester: "ian@example.org",
          username: PERSON.username,
          what: "to grant the right Approver",
          expiresAt: AT,
          notice: null,
          url: linkTo(paths.user(1001)),
        },
      },
    ],
    factorMail: [
      {
        kind: "second-factor",
        title: "added",
        data: {
          ...PERSON,
          at: AT,
          what: "A second factor of your account was added",
          detail: "Authenticator app: Work phone",
          url: linkTo(paths.secondFactors()),
        },
      },
    ],
    passwordChangedMail: [{ kind: "password-changed", title: "", data: { ...PERSON, at: AT, url: forgotten } }],
    accountsMergedMail: [
      {
        kind: "accounts-merged",
        title: "",
        data: { ...PERSON, usernames: ["anna.m", "a.mueller"], url: forgotten },
      },
    ],
  } satisfies Partial<Examples>;
};

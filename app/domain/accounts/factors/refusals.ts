import { CHALLENGE_MINUTES } from "./factors.policy";

/** Why a second factor is refused: what the person reads, and what the security event says. */
export const FACTOR_REFUSALS = {
  wrong: {
    text: "This code is not right. Enter the six digits that your authenticator app shows now, or a recovery code that you have not used.",
    detail: "The code was wrong.",
  },
  "wrong-new": {
    text: "This code is not right. Check the time of your device, and enter the code that the app shows now.",
    detail: "The code of an authenticator app that was to be added was wrong.",
  },
  used: {
    text: "This code was used already. Wait until your authenticator app shows the next one.",
    detail: "The code of an authenticator app was used before.",
  },
  "used-recovery": {
    text: "This recovery code was used already, and each works once. Use another one.",
    detail: "The recovery code was used before.",
  },
  unreadable: {
    text: "The portal cannot check the codes of your authenticator app any more. Use a passkey or a recovery code, or ask the operator of the portal.",
    detail: "The stored secret of the authenticator app could not be read.",
  },
  malformed: {
    text: "The answer of the passkey could not be read. Please press the button again, or use another browser.",
    detail: "The answer of a passkey could not be read.",
  },
  "other-site": {
    text: "This answer of a passkey was made for another site. Please open the portal by its own address.",
    detail: "The answer of a passkey was made for another site.",
  },
  invalid: {
    text: "The answer of the passkey is not valid. Please press the button again, or use another factor.",
    detail: "The answer of a passkey was not valid.",
  },
  unknown: {
    text: "This passkey is not one of your account. It may have been removed. Please use another factor.",
    detail: "The passkey is not one of the account.",
  },
  known: {
    text: "This passkey has been added already.",
    detail: "The passkey had been added before.",
  },
  "at-once": {
    text: "This passkey was used twice at the same time. Please press the button again.",
    detail: "A passkey was used twice at the same time.",
  },
  copy: {
    text: "This passkey was refused: its counter did not grow, so it may be a copy. Use another factor, and remove this one.",
    detail: "The counter of a passkey did not grow, so it may be a copy.",
  },
  foreign: {
    text: "This answer of a passkey does not belong to this login or session. Please press the button again.",
    detail: "The answer of a passkey belongs to another login or session.",
  },
  "used-answer": {
    text: "This answer of a passkey was used already. Please press the button again.",
    detail: "The answer of a passkey was used before.",
  },
  old: {
    text: `This answer of a passkey came after more than ${CHALLENGE_MINUTES} minutes. Please press the button again.`,
    detail: "The answer of a passkey came too late.",
  },
} as const;

export type FactorRefusal = keyof typeof FACTOR_REFUSALS;

import { z } from "zod";
import { requireNoImpersonation } from "~/domain/accounts/administration/impersonation.policy";
import { PROOF_MINUTES } from "~/domain/accounts/factors/factors.policy";
import { currentPasswordSchema, factorCodeSchema } from "~/domain/accounts/factors/factors.schema";
import { kindsOf } from "~/domain/accounts/factors/pending-login.server";
import { confirmByCode, confirmByPassword } from "~/domain/accounts/factors/step-up.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { call } from "../call";
import { atFields, check, type WireNames } from "../check";
import { CONFIRM_PATH } from "../step-up.server";

const input = z
  .object({
    otp: z
      .string()
      .max(40)
      .nullish()
      .describe("Required for an account with a second factor: a code of its authenticator app, or a recovery code"),
    password: z.string().max(50).nullish().describe("Required for an account without a second factor"),
  })
  .strict();

const NAMES: WireNames = { code: "otp", currentPassword: "password" };

async function confirm({ otp, password }: z.output<typeof input>, user: SessionUser): Promise<void> {
  if ((await kindsOf(user.id)).length > 0) {
    const { code } = check(factorCodeSchema, { code: otp ?? "" }, NAMES);
    return confirmByCode(user, code);
  }
  const { currentPassword } = check(currentPasswordSchema, { currentPassword: password ?? "" }, NAMES);
  return confirmByPassword(user, currentPassword);
}

/** The fields at which errors of the pages are reported, by code. */
const FIELDS = { "factor.refused": "otp", InvalidPassword: "password", AccountLocked: "password" };

/** Proves who uses the program, for calls that need a fresh proof. */
export const confirmCall = call({
  path: CONFIRM_PATH,
  method: "POST",
  who: "user",
  summary: `Confirms who uses the token, for ${PROOF_MINUTES} minutes`,
  notes: `Some calls of staff need it, and say so: they are answered with 403 and \`account.step-up\` when the token was issued, or last confirmed, more than ${PROOF_MINUTES} minutes ago. Confirm with \`otp\`, or with \`password\` while the account has no second factor. It counts for this token only.`,
  refuses: {
    403: "The caller has something to do first, or acts as a user, who alone can confirm",
    422: "The code or password is wrong, or was used before (`factor.refused`, `InvalidPassword`), or passwords are not compared at present (`AccountLocked`)",
  },
  input,
  output: z.boolean(),
  handle: async (given, { user }) => {
    requireNoImpersonation(user, "what the user alone can confirm");
    await atFields(FIELDS, () => confirm(given, user));
    return true;
  },
});

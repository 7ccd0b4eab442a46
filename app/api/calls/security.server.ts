import { z } from "zod";
import { personShape } from "~/domain/accounts/accounts.schema";
import { isEmailTaken } from "~/domain/accounts/free-email.server";
import {
  changePassword,
  findPasswordChange,
  whyPermitEnded,
} from "~/domain/accounts/recovery/change-permit.service.server";
import { PASSWORD_CHANGED, RECOVERY_MESSAGES } from "~/domain/accounts/recovery/recovery-messages";
import { openRecovery } from "~/domain/accounts/recovery/recovery-question.server";
import {
  changePasswordSchema,
  forgotPasswordSchema,
  resetCodeSchema,
} from "~/domain/accounts/recovery/recovery.schema";
import { checkResetCode, enterResetCode, requestResetCode } from "~/domain/accounts/recovery/recovery.service.server";
import { securityShape } from "~/domain/accounts/user-details.schema";
import { clientOf } from "~/http/client.server";
import { getConfig } from "~/lib/config.server";
import { isPortalError, PortalError } from "~/lib/errors";
import { isEmail } from "~/lib/fields";
import { call, group, type Caller } from "../call";
import { check } from "../check";
import { originOfCall } from "../origin.server";
import { userAnswer } from "../user-answer.server";
import { changeUsername, OWN_ONLY } from "../user-details.server";
import { id, nothing, text, textBy } from "../wire";

const ofEmail = z.object({ email: z.string().max(200) }).strict();

const emailOf = (given: string): string => (isEmail(given) ? given.toLowerCase() : "");

const FAILURES = ["AccountLocked", "InvalidSecurityAnswer", "InvalidResetCode"] as const;

/** The answer of the calls that recover a password (REC-04). */
const recoveryAnswer = z.object({
  success: z.boolean(),
  failureReason: z
    .enum(FAILURES)
    .nullable()
    .openapi({ enum: [...FAILURES, null] }),
  passwordValidationUserMessage: z.string().describe("The reason for a failure; empty on success"),
  token: z.string().optional().describe("For UserSecurity/ChangePassword, once, for 30 minutes"),
});

type RecoveryAnswer = z.input<typeof recoveryAnswer>;

const done = (token?: string): RecoveryAnswer => ({
  success: true,
  failureReason: null,
  passwordValidationUserMessage: "",
  ...(token && { token }),
});

const isFailure = (code: string): code is keyof typeof RECOVERY_MESSAGES => Object.hasOwn(RECOVERY_MESSAGES, code);

const resetArguments = z
  .object({
    emailAddress: textBy(forgotPasswordSchema.shape.email, {
      description: "As it was entered when the code was requested",
    }),
    resetCode: textBy(resetCodeSchema(true).shape.resetCode),
    securityAnswer: textBy(resetCodeSchema(true).shape.securityAnswer, {
      isRequired: false,
      description: "Required when the account has a question",
    }),
    validateSecurityAnswer: z
      .boolean()
      .nullish()
      .describe("Has no effect: the answer is checked whenever the account has a question"),
  })
  .strict();

async function validateReset(input: z.output<typeof resetArguments>, { request }: Caller): Promise<RecoveryAnswer> {
  const email = emailOf(input.emailAddress.trim());
  const entered = await enterResetCode(email, input.resetCode.trim(), clientOf(request));
  const schema = resetCodeSchema(entered.question !== null).extend({ emailAddress: forgotPasswordSchema.shape.email });
  const { securityAnswer } = check(schema, input);
  try {
    return done(await checkResetCode(entered, securityAnswer));
  } catch (error) {
    if (!isPortalError(error) || !isFailure(error.code)) throw error;
    return { success: false, failureReason: error.code, passwordValidationUserMessage: error.message };
  }
}

const newRules = changePasswordSchema(1, true).innerType().shape;
const WHERE_NONE = "Required when the account has no question";

const newPassword = z
  .object({
    token: z.string().describe("Of ValidatePasswordResetData, or `changePasswordToken` of the access token's answer"),
    password: textBy(newRules.password),
    securityQuestion: textBy(newRules.securityQuestion, {
      isRequired: false,
      description: `${WHERE_NONE}; one of UserSecurity/GetSecurityQuestions`,
    }),
    securityAnswer: textBy(newRules.securityAnswer, { isRequired: false, description: WHERE_NONE }),
  })
  .strict();

const DEAD = "This token can be used once, soon after the check. Please start again.";

/** Returns the error for a token that is no longer valid. When an administrator has locked the account, the error says so. */
const refusalOf = async (token: string) =>
  (await whyPermitEnded(token)) === "locked"
    ? new PortalError(RECOVERY_MESSAGES.AccountLocked, { code: "AccountLocked" })
    : new PortalError(DEAD, { code: "InvalidResetCode", field: "token" });

async function setPassword({ token, ...form }: z.output<typeof newPassword>, { request }: Caller) {
  const permit = await findPasswordChange(token);
  if (!permit) throw await refusalOf(token);
  const schema = changePasswordSchema(getConfig().accounts.passwordMinLength, permit.asksQuestion);
  const change = check(schema, { ...form, confirmPassword: form.password }, { confirmPassword: "password" });
  if (!(await changePassword(token, change, clientOf(request)))) throw await refusalOf(token);
  return { success: true, message: PASSWORD_CHANGED };
}

export const securityCalls = group("User security", [
  call({
    who: "anyone",
    path: "UserSecurity/GetSecurityQuestions",
    method: "GET",
    summary: "The security questions to choose from",
    failure: "OCA0H01E",
    input: nothing,
    output: z.array(z.string()),
    handle: () => Promise.resolve(getConfig().accounts.securityQuestions),
  }),
  call({
    who: "anyone",
    path: "UserSecurity/GetSecurityQuestion",
    method: "GET",
    summary: "The security question of the account with this email address",
    notes:
      "For an address without an account, the answer is always the same question, so that it does not reveal whether there is an account.",
    failure: "OCA0D01E",
    input: ofEmail,
    output: z.string(),
    handle: async ({ email }, { request }) =>
      (await openRecovery(emailOf(email), "", clientOf(request))).question ?? "",
  }),
  call({
    who: "anyone",
    path: "UserSecurity/UserWithEmailExist",
    method: "GET",
    summary: "Whether an account has this email address, which a registration would reveal too",
    notes: "Counted like a registration: at most twenty an hour.",
    failure: "OCA0I01E",
    input: ofEmail,
    output: z.boolean(),
    handle: ({ email }, { address }) => isEmailTaken(email, address),
  }),
  call({
    who: "anyone",
    path: "UserSecurity/RequestPasswordResetEmail",
    method: "POST",
    summary: "Sends a reset code by email",
    notes:
      "The answer is the same whether there is such an account or not. The link always leads to this portal. A newer code replaces an older one.",
    failure: "OCA0C01E",
    input: z
      .object({ emailAddress: textBy(forgotPasswordSchema.shape.email), resetBaseUrl: text().describe("Not used") })
      .strict(),
    output: recoveryAnswer,
    handle: async ({ emailAddress }, caller) => {
      const { email } = check(forgotPasswordSchema, { email: emailAddress }, { email: "emailAddress" });
      await requestResetCode(email.toLowerCase(), originOfCall(caller));
      return done();
    },
  }),
  call({
    who: "anyone",
    path: "UserSecurity/ValidatePasswordResetData",
    method: "POST",
    summary: "Checks a reset code and the security answer",
    notes:
      "Five wrong answers end the code: the fifth is answered with `InvalidResetCode`. Wrong codes do not count. `AccountLocked` means that an administrator has locked the account; wrong passwords do not stop a recovery.",
    failure: "OCA0D02E",
    input: resetArguments,
    output: recoveryAnswer,
    handle: validateReset,
  }),
  call({
    who: "anyone",
    path: "UserSecurity/ChangePassword",
    method: "POST",
    summary: "Sets a new password",
    notes: "Ends every token and session of the account.",
    failure: "OCA0E01E",
    input: newPassword,
    output: z.object({ success: z.boolean(), message: z.string().describe("For the user") }),
    handle: setPassword,
  }),
  call({
    path: "UserSecurity/UpdateLastLogin",
    method: "POST",
    who: "user",
    summary: "Always answers true: the last login is recorded when the token is made",
    isBeforeDuties: true,
    input: z.object({ userId: id().optional().describe("Not used") }).strict(),
    output: z.boolean(),
    handle: () => Promise.resolve(true),
  }),
  call({
    path: "UserSecurity/UpdateUsername",
    method: "POST",
    who: "user",
    summary: "Changes the caller's user name, which is the email address",
    notes:
      "The new address takes effect when the link that is sent to it is used, as with the user details, or at once if the current one is not verified.",
    failure: "OCA0F02E",
    refuses: OWN_ONLY,
    input: z
      .object({
        Username: textBy(personShape.email, { description: "The new email address" }),
        UserId: id().optional().describe("Must be the caller's own when sent"),
        currentPassword: textBy(securityShape("").currentPassword, {
          description: "Required for another address",
        }),
      })
      .strict(),
    output: userAnswer,
    handle: ({ Username, UserId, currentPassword }, caller) =>
      changeUsername({ username: Username, userId: UserId, currentPassword }, caller),
  }),
]);

import { z } from "zod";
import { detailsSchema } from "~/domain/accounts/details.schema";
import { completeRegistration, completionRules } from "~/domain/accounts/details.service.server";
import { type Profile } from "~/domain/accounts/profile.service.server";
import { may, type Task } from "~/domain/accounts/rights.policy";
import { type SessionUser } from "~/domain/accounts/session-user";
import { noRight } from "~/domain/accounts/staff-rights.server";
import { userDetailsSchema, type UserDetails } from "~/domain/accounts/user-details.schema";
import { loadUserDetails, saveUserDetails } from "~/domain/accounts/user-details.service.server";
import { DUTY_PAGES, dutyOf } from "~/http/duties.server";
import { PortalError } from "~/lib/errors";
import { ADDRESS_NAMES, addressFields, answeredAddress, toAddressForm, toAnsweredAddress } from "./address";
import { type SignedCaller } from "./call";
import { check, type WireNames } from "./check";
import { conflictMessage } from "./conflict";
import { userAnswerOf } from "./user-answer.server";
import { type completion, type detailsUpdate } from "./user-details-fields";
import { queryId, sentOf } from "./wire";

const DETAILS_NAMES: WireNames = { ...ADDRESS_NAMES, position: "jobTitle", telephoneNumber: "phone" };

type DetailsUpdate = z.output<typeof detailsUpdate>;
type Sent = Pick<DetailsUpdate, "companyAddress" | "invoicingAddress">;
type Stored = Awaited<ReturnType<typeof loadUserDetails>>["values"];

/**
 * Returns the addresses in the format of the form.
 * @param stored The stored values in the format of the form. There are none when a registration is completed.
 */
const addressesOf = ({ companyAddress, invoicingAddress }: Sent, stored?: Stored) => ({
  companyAddress:
    (companyAddress === undefined ? stored?.companyAddress : companyAddress && toAddressForm(companyAddress)) ?? {},
  ...addressFields("invoicingAddress", "useCompanyAddress", {
    sent: invoicingAddress,
    stored: !stored || stored.useCompanyAddress ? null : stored.invoicingAddress,
  }),
});

/** The description of status 403 for calls that change the caller's own details. */
export const OWN_ONLY = {
  403: "`userId` is somebody else's, the caller has something to do first, or an administrator acts as the user, who alone may change it. A user with a second factor changes the email address, password and security question only within ten minutes after confirming it (`account.step-up`)",
};

/** The description of status 403 for calls with which administrators can read the details of others. */
export const STAFF_FOR_OTHERS = { 403: "`userId` is somebody else's, and no right of the caller shows it" };

/**
 * Returns the id of the user whom a request is about: the caller by default. Throws a PortalError (403) when somebody asks for another user
 * whose rights do not allow this task.
 */
export function subjectOf(
  { userId }: { userId?: number | undefined },
  { user }: SignedCaller,
  task: Task = "see-users",
): number {
  if (userId === undefined || userId === user.id) return user.id;
  if (!may(user, task)) throw noRight(task);
  return userId;
}

export const ofUser = z
  .object({
    userId: queryId().optional().describe("The caller when omitted; only administrators can name another user"),
  })
  .strict();

export const userDetails = z.object({
  userId: z.number().int(),
  firstName: z.string(),
  lastName: z.string(),
  company: z.string(),
  jobTitle: z.string(),
  email: z.string(),
  phone: z.string(),
  vatNumber: z.string(),
  vatNumberChecked: z.boolean().nullable(),
  taxNumber: z.string(),
  companyRegistrationNumber: z.string(),
  companyAddress: answeredAddress.nullable(),
  invoicingAddress: answeredAddress.nullable(),
  mailingAddress: answeredAddress.nullable(),
});

export const toUserDetails = (profile: Profile): z.input<typeof userDetails> => ({
  userId: profile.id,
  firstName: profile.firstName,
  lastName: profile.lastName,
  company: profile.company,
  jobTitle: profile.position,
  email: profile.email,
  phone: profile.telephoneNumber,
  vatNumber: profile.vatNumber ?? "",
  vatNumberChecked: profile.vatNumberChecked,
  taxNumber: profile.taxNumber ?? "",
  companyRegistrationNumber: profile.companyRegistrationNumber ?? "",
  companyAddress: profile.companyAddress && toAnsweredAddress(profile.companyAddress),
  invoicingAddress: profile.invoicingAddress && toAnsweredAddress(profile.invoicingAddress),
  mailingAddress: profile.mailingAddress && toAnsweredAddress(profile.mailingAddress),
});

function requireOwn(userId: number | undefined, user: SessionUser): void {
  if (userId !== undefined && userId !== user.id)
    throw new PortalError("You can change only your own details.", { code: "account.right", status: 403 });
}

/** Saves the details. When nothing was saved, the answer says why. */
const save = (user: SessionUser, details: UserDetails) =>
  userAnswerOf(async () => {
    const saved = await saveUserDetails(user, details);
    return "differing" in saved ? conflictMessage(saved, "Sending it again replaces them.") : "";
  });

export async function updateDetails({ userId, ...input }: DetailsUpdate, { user }: SignedCaller) {
  requireOwn(userId, user);
  const { values, rules } = await loadUserDetails(user);
  const { firstName, lastName, company, jobTitle, email, phone, password, securityQuestion, ...rest } = input;
  const { companyRegistrationNumber, taxNumber, vatNumber } = rest;
  const { useCompanyAddress: _, invoicingAddress: __, ...kept } = values;
  const form = {
    ...kept,
    firstName,
    lastName,
    position: jobTitle,
    email,
    telephoneNumber: phone,
    ...sentOf({ company, companyRegistrationNumber, taxNumber, vatNumber }),
    ...addressesOf(rest, values),
    password,
    confirmPassword: password,
    currentPassword: rest.currentPassword,
    securityQuestion,
    securityAnswer: rest.securityAnswer,
  };
  return save(user, check(userDetailsSchema(rules), form, DETAILS_NAMES));
}

interface NewName {
  username: string;
  userId: number | undefined;
  currentPassword: string;
}

/** Changes the user name, which is the email address. All other details stay as stored. */
export async function changeUsername({ username, userId, currentPassword }: NewName, { user }: SignedCaller) {
  requireOwn(userId, user);
  const { values, rules } = await loadUserDetails(user);
  const { useCompanyAddress, ...texts } = values;
  const form = { ...texts, ...(useCompanyAddress && { useCompanyAddress }), email: username, currentPassword };
  return save(user, check(userDetailsSchema(rules), form, { email: "Username" }));
}

interface Completion extends z.output<z.ZodObject<typeof completion>> {
  userId?: number | undefined;
}

export async function completeDetails(
  { userId, companyAddress, invoicingAddress, ...texts }: Completion,
  { user }: SignedCaller,
) {
  requireOwn(userId, user);
  const duty = dutyOf(user);
  if (duty && duty !== "missingDetails")
    throw new PortalError(`This account has something to do first: ${DUTY_PAGES[duty]()}`, {
      code: "account.duty",
      status: 403,
    });
  const rules = await completionRules(user);
  const form = { ...texts, ...addressesOf({ companyAddress, invoicingAddress }) };
  const details = check(detailsSchema(rules), form, DETAILS_NAMES);
  return userAnswerOf(async () => {
    await completeRegistration(user, details);
    return "";
  });
}

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { registrationSchema } from "~/domain/accounts/accounts.schema";
import { lockedFields } from "~/domain/accounts/details.policy";
import { detailsSchema } from "~/domain/accounts/details.schema";
import { completeRegistration } from "~/domain/accounts/details.service.server";
import { areDetailsMissing, getProfile, type Profile } from "~/domain/accounts/profile.service.server";
import { registerUser } from "~/domain/accounts/registration.service.server";
import { loadUserDetails, saveUserDetails } from "~/domain/accounts/user-details.service.server";
import { userDetailsSchema } from "~/domain/accounts/user-details.schema";
import { checkReadiness } from "~/domain/jobs/readiness.service.server";
import { findCountryOfVat, getCountry, listAllCountries } from "~/domain/reference/countries.server";
import { checkVatNumber } from "~/domain/reference/vat.service.server";
import { dutyOf } from "~/http/guard.server";
import { countTry } from "~/http/rate-limit.server";
import { getConfig } from "~/lib/config.server";
import { PortalError } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { ADDRESS_NAMES, answeredAddress, toAddressForm, toAnsweredAddress, wireAddress } from "../address";
import { call, group, openCall, Reply, type SignedCaller } from "../call";
import { check, type WireNames } from "../check";
import { told, userAnswer } from "../user-answer.server";
import { id, nothing, queryId, text } from "../wire";

const country = z.object({
  id: z.number().int(),
  adminId: z.number().int(),
  iso: z.string(),
  name: z.string(),
  printableName: z.string(),
  euMember: z.boolean(),
});

const registration = z
  .object({
    firstName: text(),
    lastName: text(),
    company: text(),
    position: text(),
    telephoneNumber: text(),
    email: text(),
    confirmEmail: text().describe("Also `confirmationEmail`"),
    confirmationEmail: text(),
    password: text(),
    confirmPassword: text().describe("Also `confirmationPassword`"),
    confirmationPassword: text(),
    securityQuestion: text().describe("One of UserSecurity/GetSecurityQuestions"),
    securityAnswer: text(),
  })
  .strict();

const companyDetails = {
  companyRegistrationNumber: text(),
  taxNumber: text(),
  vatNumber: text(),
  companyAddress: wireAddress.nullish(),
  invoicingAddress: wireAddress.nullish().describe("Left out: the company address is used"),
};

const DETAILS_NAMES: WireNames = { ...ADDRESS_NAMES, position: "jobTitle", telephoneNumber: "phone" };

type CompanyDetails = z.output<z.ZodObject<typeof companyDetails>>;

/** As the forms send it: the fields of an invoicing address are there when it is another than the company's. */
const companyFields = ({ companyAddress, invoicingAddress, ...texts }: CompanyDetails) => ({
  ...texts,
  ...(companyAddress && { companyAddress: toAddressForm(companyAddress) }),
  ...(invoicingAddress ? { invoicingAddress: toAddressForm(invoicingAddress) } : { useCompanyAddress: true }),
});

/** Whose details are asked for: the caller's own, or, for administrators, anybody's. */
function subjectOf({ userId }: { userId?: number | undefined }, { user }: SignedCaller): number {
  if (userId === undefined || userId === user.id) return user.id;
  if (!user.isAdmin)
    throw new PortalError("Only administrators see the details of others.", { code: "account.right", status: 403 });
  return userId;
}

const ofUser = z.object({ userId: queryId().optional().describe("Left out: the caller") }).strict();

const userDetails = z.object({
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

const toUserDetails = (profile: Profile): z.input<typeof userDetails> => ({
  ...{ userId: profile.id, firstName: profile.firstName, lastName: profile.lastName, company: profile.company },
  ...{ jobTitle: profile.position, email: profile.email, phone: profile.telephoneNumber },
  vatNumber: profile.vatNumber ?? "",
  vatNumberChecked: profile.vatNumberChecked,
  taxNumber: profile.taxNumber ?? "",
  companyRegistrationNumber: profile.companyRegistrationNumber ?? "",
  companyAddress: profile.companyAddress && toAnsweredAddress(profile.companyAddress),
  invoicingAddress: profile.invoicingAddress && toAnsweredAddress(profile.invoicingAddress),
  mailingAddress: profile.mailingAddress && toAnsweredAddress(profile.mailingAddress),
});

const detailsUpdate = z
  .object({
    userId: id().optional(),
    firstName: text(),
    lastName: text(),
    company: text(),
    jobTitle: text(),
    email: text(),
    phone: text(),
    ...companyDetails,
    mailingAddress: wireAddress.nullish().describe("Not stored by this call"),
    vatNumberChecked: z.boolean().nullish().describe("The server's own check decides"),
    password: text().describe("A new password; empty: it stays"),
    securityQuestion: text(),
    securityAnswer: text(),
    currentPassword: text().describe("Needed for another e-mail address, password or question"),
  })
  .strict();

async function updateDetails(input: z.output<typeof detailsUpdate>, { user }: SignedCaller) {
  if (input.userId !== undefined && input.userId !== user.id)
    throw new PortalError("Everybody changes the own details only.", { code: "account.right", status: 403 });
  const { values, rules } = await loadUserDetails(user);
  const { firstName, lastName, company, jobTitle, email, phone, password, securityQuestion, ...rest } = input;
  const form = {
    ...{ firstName, lastName, company, position: jobTitle, email, telephoneNumber: phone, version: values.version },
    ...companyFields(rest),
    ...{ password, confirmPassword: password, currentPassword: rest.currentPassword },
    ...{ securityQuestion, securityAnswer: rest.securityAnswer },
  };
  const details = check(userDetailsSchema(rules), form, DETAILS_NAMES);
  return told(async () => {
    await countTry("vat-account", user.id);
    const saved = await saveUserDetails(user, details);
    return "message" in saved ? saved.message : "";
  });
}

async function completeDetails(input: CompanyDetails, { user, request }: SignedCaller) {
  const duty = dutyOf(user, request);
  if (duty && duty !== paths.completeRegistration)
    throw new PortalError(`This account has something to do first: ${duty}`, { code: "account.duty", status: 403 });
  const locked = lockedFields(user, await getProfile(user.id));
  const details = check(detailsSchema({ locked, isRequired: true }), companyFields(input), DETAILS_NAMES);
  return told(async () => {
    await countTry("vat-account", user.id);
    await completeRegistration(user, details);
    return "";
  });
}

async function checkVat({ vatNumber }: { vatNumber: string }, { user }: SignedCaller) {
  await countTry("vat-account", user.id);
  const of = await findCountryOfVat(vatNumber);
  const result = of ? await checkVatNumber(vatNumber, of) : "invalid";
  return new Reply(result === "valid", result === "serviceError" ? "serviceError" : "");
}

export const accountCalls = group("User registration", [
  openCall({
    path: "UserRegistration/GetApiHealthCheck",
    method: "GET",
    summary: "Whether the portal can work: its database and its issuing authorities answer",
    failure: "OCA0H01L",
    input: nothing,
    output: z.boolean(),
    handle: async () => (await checkReadiness()).length === 0,
  }),
  openCall({
    path: "UserRegistration/RegisterUser",
    method: "POST",
    summary: "Registers a customer",
    notes: "A message with a link proves the e-mail address. Then ask for a token and complete the registration.",
    failure: "OCA0I01E",
    input: registration,
    output: userAnswer,
    handle: async ({ confirmationEmail, confirmationPassword, ...form }, { address }) => {
      const confirmEmail = form.confirmEmail || confirmationEmail;
      const confirmPassword = form.confirmPassword || confirmationPassword;
      const schema = registrationSchema(getConfig().accounts.passwordMinLength);
      const checked = check(schema, { ...form, confirmEmail, confirmPassword });
      return told(async () => {
        await countTry("register-address", address);
        await registerUser(checked, { sender: randomUUID() });
        return "";
      });
    },
  }),
  call({
    path: "UserRegistration/RegisterUserAdvancedDetails",
    method: "POST",
    who: "user",
    summary: "Completes the registration with the company's details",
    failure: "IMP0801E",
    isBeforeDuties: true,
    input: z.object({ ...companyDetails, userId: id().optional() }).strict(),
    output: userAnswer,
    handle: completeDetails,
  }),
  call({
    path: "UserRegistration/CheckAdvancedDetailsMissing",
    method: "GET",
    who: "user",
    summary: "Whether the registration is still to be completed",
    failure: "IMP0802E",
    isBeforeDuties: true,
    input: ofUser,
    output: z.object({ hasDetailsMissing: z.boolean() }),
    handle: async (query, caller) => ({ hasDetailsMissing: await areDetailsMissing(subjectOf(query, caller)) }),
  }),
  call({
    path: "UserRegistration/UpdateUserRegistrationDetails",
    method: "POST",
    who: "user",
    summary: "Changes the caller's details",
    notes: "What the caller may not change is taken as it is stored. A new password ends every token and session.",
    failure: "OCA0F02E",
    input: detailsUpdate,
    output: userAnswer,
    handle: updateDetails,
  }),
  call({
    path: "UserRegistration/GetUserDetails",
    method: "GET",
    who: "user",
    summary: "A user's details",
    failure: "OCA0F01E",
    isBeforeDuties: true,
    input: ofUser,
    output: userDetails,
    handle: async (query, caller) => toUserDetails(await getProfile(subjectOf(query, caller))),
  }),
  openCall({
    path: "UserRegistration/GetCountries",
    method: "GET",
    summary: "All countries by name",
    failure: "OCA0G01E",
    input: nothing,
    output: z.array(country),
    handle: listAllCountries,
  }),
  openCall({
    path: "UserRegistration/GetCountryById",
    method: "GET",
    summary: "One country",
    failure: "OCA0F03E",
    input: z.object({ id: queryId() }).strict(),
    output: country,
    handle: ({ id: countryId }) => getCountry(countryId),
  }),
  call({
    path: "UserRegistration/CheckVatNumber",
    method: "GET",
    who: "user",
    summary: "Whether a VAT number is valid",
    notes: "`responseText` is `serviceError` when the service of the country does not answer.",
    failure: "OCA0F02E",
    isBeforeDuties: true,
    input: z.object({ vatNumber: z.string().max(50) }).strict(),
    output: z.boolean(),
    handle: checkVat,
  }),
]);

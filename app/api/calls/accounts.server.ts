import { randomUUID } from "node:crypto";
import { z } from "zod";
import { registrationSchema, registrationShape } from "~/domain/accounts/accounts.schema";
import { areDetailsMissing, getProfile } from "~/domain/accounts/profile.service.server";
import { registerUser } from "~/domain/accounts/registration.service.server";
import { checkReadiness } from "~/domain/jobs/readiness.service.server";
import { getCountry, listAllCountries } from "~/domain/reference/countries.server";
import { lookUpVat } from "~/domain/reference/vat-lookups.server";
import { clientOf } from "~/http/client.server";
import { getConfig } from "~/lib/config.server";
import { call, group, Reply, type SignedCaller } from "../call";
import { check } from "../check";
import { userAnswerOf, userAnswer } from "../user-answer.server";
import { completion, detailsUpdate } from "../user-details-fields";
import {
  completeDetails,
  STAFF_FOR_OTHERS,
  ofUser,
  OWN_ONLY,
  subjectOf,
  toUserDetails,
  updateDetails,
  userDetails,
} from "../user-details.server";
import { id, nothing, queryId, text, textBy, textsBy } from "../wire";

const country = z.object({
  id: z.number().int().describe("ISO 3166-1 numeric"),
  adminId: z.number().int().describe("As `id`"),
  iso: z.string().describe("ISO 3166-1, two letters"),
  name: z.string(),
  printableName: z.string(),
  euMember: z.boolean(),
});

const rules = registrationShape(1); // the 1 has no effect here: `handle` checks the configured minimum length of a password

const registration = z
  .object({
    ...textsBy(rules),
    confirmEmail: textBy(rules.confirmEmail, {
      description: "As `email`",
    }),
    confirmationEmail: text().describe("Accepted instead of `confirmEmail`"),
    password: textBy(rules.password, { description: "The introduction gives the least length" }),
    confirmPassword: textBy(rules.confirmPassword, {
      description: "As `password`",
    }),
    confirmationPassword: text().describe("Accepted instead of `confirmPassword`"),
    securityQuestion: textBy(rules.securityQuestion, {
      description: "One of UserSecurity/GetSecurityQuestions",
    }),
  })
  .strict();

async function checkVat({ vatNumber }: { vatNumber: string }, { user }: SignedCaller) {
  const result = await lookUpVat(user.id, vatNumber);
  return new Reply(result === "valid", result === "serviceError" ? "serviceError" : "");
}

export const accountCalls = group("User registration", [
  call({
    who: "anyone",
    path: "UserRegistration/GetApiHealthCheck",
    method: "GET",
    summary: "Whether the portal works: its database and its issuing CAs respond",
    failure: "OCA0H01L",
    input: nothing,
    output: z.boolean(),
    handle: async () => (await checkReadiness()).length === 0,
  }),
  call({
    who: "anyone",
    path: "UserRegistration/RegisterUser",
    method: "POST",
    summary: "Registers a customer",
    notes:
      "A message with a link is sent to confirm the email address. Then request a token and complete the registration.",
    failure: "OCA0I01E",
    input: registration,
    output: userAnswer,
    handle: async ({ confirmationEmail, confirmationPassword, ...form }, { request }) => {
      const confirmEmail = form.confirmEmail || confirmationEmail;
      const confirmPassword = form.confirmPassword || confirmationPassword;
      const schema = registrationSchema(getConfig().accounts.passwordMinLength);
      const checked = check(schema, { ...form, confirmEmail, confirmPassword });
      return userAnswerOf(async () => {
        await registerUser(checked, { sender: randomUUID(), client: clientOf(request) });
        return "";
      }, ["securityQuestion"]);
    },
  }),
  call({
    path: "UserRegistration/RegisterUserAdvancedDetails",
    method: "POST",
    who: "user",
    summary: "Completes the registration with the company's details",
    failure: "IMP0801E",
    isBeforeDuties: true,
    refuses: OWN_ONLY,
    input: z.object({ ...completion, userId: id().optional().describe("Must be the caller's own when sent") }).strict(),
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
    refuses: { ...STAFF_FOR_OTHERS, 404: "There is no such user" },
    input: ofUser,
    output: z.object({ hasDetailsMissing: z.boolean() }),
    handle: async (query, caller) => ({ hasDetailsMissing: await areDetailsMissing(subjectOf(query, caller)) }),
  }),
  call({
    path: "UserRegistration/UpdateUserRegistrationDetails",
    method: "POST",
    who: "user",
    summary: "Changes the caller's details",
    notes:
      "Optional fields that are omitted keep their stored values; an optional text that is null, empty or a single space is cleared. Fields that the caller may not change are ignored. A new password ends every token and session. A new email address takes effect when the link that is sent to it is used, or at once if the current one is not verified.",
    failure: "OCA0F02E",
    refuses: OWN_ONLY,
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
    refuses: { ...STAFF_FOR_OTHERS, 404: "There is no such user" },
    input: ofUser,
    output: userDetails,
    handle: async (query, caller) => toUserDetails(await getProfile(subjectOf(query, caller))),
  }),
  call({
    who: "anyone",
    path: "UserRegistration/GetCountries",
    method: "GET",
    summary: "All countries by name",
    failure: "OCA0G01E",
    input: nothing,
    output: z.array(country),
    handle: async () => [...(await listAllCountries())],
  }),
  call({
    who: "anyone",
    path: "UserRegistration/GetCountryById",
    method: "GET",
    summary: "One country",
    failure: "OCA0F03E",
    refuses: { 404: "There is no such country" },
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

import { z } from "zod";
import { personShape } from "~/domain/accounts/accounts.schema";
import { detailsShape } from "~/domain/accounts/details.schema";
import { securityShape } from "~/domain/accounts/user-details.schema";
import { wireAddress, wireInvoicingAddress } from "./address";
import { changedTextBy, id, ignoredObject, REQUIRED, text, textBy, type Words } from "./wire";

const rules = { ...detailsShape({ locked: {}, isRequired: true }), ...securityShape("") };

/** The description of a field that this account can no longer change. */
const KEPT = "once it is stored, only administrators can change it, and values from others are ignored";

/** The texts about a company. `by` converts a rule to a schema. */
const companyTexts = <Text>(by: (rule: z.ZodTypeAny, words: Words) => Text) => ({
  companyRegistrationNumber: by(rules.companyRegistrationNumber, {
    isRequired: false,
    description: `Required from customers while none is stored; ${KEPT}`,
  }),
  taxNumber: by(rules.taxNumber, { description: `Tax registration number; ${KEPT}` }),
  vatNumber: by(rules.vatNumber, {
    description:
      "With its prefix, e.g. `DE123456789`; required when the invoicing address is in an EU member state or the United Kingdom",
  }),
});

/** The details that complete a registration. */
export const completion = {
  company: text().describe(
    "The name of the company, at most 120 characters. Required from somebody who has left their only company, or was removed from it: the new company that they then have bears their own name until it is named here. Otherwise ignored",
  ),
  ...companyTexts(textBy),
  companyAddress: wireAddress.nullish().openapi({ [REQUIRED]: true }),
  invoicingAddress: wireInvoicingAddress.nullish().describe("The company address is used when omitted or null"),
};

/** The caller's own details that can be changed. */
export const detailsUpdate = z
  .object({
    userId: id().optional().describe("Must be the caller's own when sent"),
    firstName: textBy(personShape.firstName),
    lastName: textBy(personShape.lastName),
    company: changedTextBy(personShape.company, { description: "Ignored unless an administrator sends it" }),
    jobTitle: textBy(personShape.position),
    email: textBy(personShape.email),
    phone: textBy(personShape.telephoneNumber),
    ...companyTexts(changedTextBy),
    companyAddress: wireAddress
      .nullish()
      .describe("The whole address; unchanged when omitted; null for none, which customers may not choose"),
    invoicingAddress: wireInvoicingAddress
      .nullish()
      .describe(
        "The whole address; unchanged when omitted, or following the company address where it is the same; null for the company address",
      ),
    mailingAddress: ignoredObject("Not stored by this call"),
    vatNumberChecked: z.boolean().nullish().describe("Ignored: the server makes its own check"),
    password: textBy(rules.password, { description: "A new password; unchanged when empty" }),
    securityQuestion: textBy(rules.securityQuestion, {
      description: "Another one of UserSecurity/GetSecurityQuestions, with its answer; unchanged when empty",
    }),
    securityAnswer: textBy(rules.securityAnswer),
    currentPassword: textBy(rules.currentPassword, {
      description: "Required for another email address, password or question",
    }),
  })
  .strict();

import { z } from "zod";
import { personShape } from "~/domain/accounts/accounts.schema";
import { detailsShape } from "~/domain/accounts/details.schema";
import { securityShape } from "~/domain/accounts/user-details.schema";
import { wireAddress, wireInvoicingAddress } from "./address";
import { changedTextBy, id, ignoredObject, NEEDED, textBy, type Words } from "./wire";

const rules = { ...detailsShape({ locked: {}, isRequired: true }), ...securityShape("") };

/** The description of a field that this account can no longer change. */
const KEPT = "once it is stored only administrators change it, and what others send is not read";

/** The texts about a company. `by` converts a rule to a schema. */
const companyTexts = <Text>(by: (rule: z.ZodTypeAny, words: Words) => Text) => ({
  companyRegistrationNumber: by(rules.companyRegistrationNumber, {
    isNeeded: false,
    description: `Needed of customers while none is stored; ${KEPT}`,
  }),
  taxNumber: by(rules.taxNumber, { description: `Tax registration number; ${KEPT}` }),
  vatNumber: by(rules.vatNumber, {
    description:
      "With its prefix, e.g. `DE123456789`; needed where the invoicing address is in an EU member state or the United Kingdom",
  }),
});

/** The details that complete a registration. */
export const companyDetails = {
  ...companyTexts(textBy),
  companyAddress: wireAddress.nullish().openapi({ [NEEDED]: true }),
  invoicingAddress: wireInvoicingAddress.nullish().describe("Left out or null: the company address is used"),
};

/** The caller's own details that can be changed. */
export const detailsUpdate = z
  .object({
    userId: id().optional().describe("The caller's own, if sent"),
    firstName: textBy(personShape.firstName),
    lastName: textBy(personShape.lastName),
    company: changedTextBy(personShape.company, { description: "What others than administrators send is not read" }),
    jobTitle: textBy(personShape.position),
    email: textBy(personShape.email),
    phone: textBy(personShape.telephoneNumber),
    ...companyTexts(changedTextBy),
    companyAddress: wireAddress.nullish().describe("Whole; left out: as it is stored; null: none, not of customers"),
    invoicingAddress: wireInvoicingAddress
      .nullish()
      .describe(
        "Whole; left out: as it is stored, or with the company address where it is the same; null: the company address",
      ),
    mailingAddress: ignoredObject("Not stored by this call"),
    vatNumberChecked: z.boolean().nullish().describe("Not read: the server's own check decides"),
    password: textBy(rules.password, { description: "A new password; empty: it stays" }),
    securityQuestion: textBy(rules.securityQuestion, {
      description: "Another one of UserSecurity/GetSecurityQuestions, with its answer; empty: it stays",
    }),
    securityAnswer: textBy(rules.securityAnswer),
    currentPassword: textBy(rules.currentPassword, {
      description: "Needed for another email address, password or question",
    }),
  })
  .strict();

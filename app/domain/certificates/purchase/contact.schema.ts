import { z } from "zod";
import { countryId, email, isEmail, optionalText, requiredText, telephone } from "~/lib/fields";
import { CONTACT_REFUSED, type ContactRules, failedCriteria } from "./contact.policy";

/** The authentication contact of an order (PUR-02), without the rules that depend on the applicant. */
export const contactSchema = z.object({
  name: requiredText(120),
  company: requiredText(120),
  position: requiredText(120),
  email: email(200),
  addressLine1: requiredText(60),
  addressLine2: optionalText(60),
  city: requiredText(90),
  postalCode: requiredText(10),
  country: countryId(),
  phoneNumber: telephone(25),
});

export type Contact = z.infer<typeof contactSchema>;

/** Returns the schema with all rules. The issue for a refused address lists the criteria that it does not meet in `params.criteria`. */
export const contactSchemaFor = (rules: ContactRules) =>
  contactSchema.extend({
    email: email(200).superRefine((value, context) => {
      const criteria = isEmail(value) ? failedCriteria(value, rules) : [];
      if (criteria.length > 0) context.addIssue({ code: "custom", message: CONTACT_REFUSED, params: { criteria } });
    }),
  });

/** A contact at the time of the order (JSON in certificates.technical_contact and .authentication_contact). */
export interface ContactSnapshot extends Omit<Contact, "country"> {
  countryId: number | null;
  country: string;
  /** Only for the authentication contact: the domain of the email is not the applicant's. */
  hasOtherDomain?: boolean;
}

/** Parses the JSON that is stored with a certificate. */
export const parseContact = (json: string): ContactSnapshot => JSON.parse(json) as ContactSnapshot;

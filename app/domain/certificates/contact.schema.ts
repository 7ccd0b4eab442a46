import { z } from "zod";
import { countryId, email, isEmail, optionalText, requiredText, telephone } from "~/lib/fields";
import { isAcceptableContactEmail, type ContactRules } from "./contact.policy";

/** B §5, word for word. */
export const CONTACT_REFUSED =
  "Authentication Contact details do not meet Odette CA requirements. Please ensure that details satisfy the criteria listed above.";

/** The authentication contact of an order (B §5), without the rules that need the applicant. */
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

/** All rules. In: the applicant's e-mail and the configured lists. */
export const contactSchemaFor = (rules: ContactRules) =>
  contactSchema.extend({
    email: email(200).refine((value) => !isEmail(value) || isAcceptableContactEmail(value, rules), CONTACT_REFUSED),
  });

/** A contact as it was when the order was placed (JSON in certificates.technical_contact and .authentication_contact). */
export interface ContactSnapshot extends Omit<Contact, "country"> {
  countryId: number | null;
  country: string;
  /** Of the authentication contact: the e-mail's domain is not the applicant's. */
  hasOtherDomain?: boolean;
}

/** In: the JSON stored with a certificate. */
export const parseContact = (json: string): ContactSnapshot => JSON.parse(json) as ContactSnapshot;

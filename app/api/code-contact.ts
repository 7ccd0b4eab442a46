import { z } from "zod";
import { codeContactSchema, type CodeContactForm, type ContactForm } from "~/domain/codes/code-contact.schema";
import { CONTACT_TYPE_NAMES } from "~/domain/codes/code-details-fields";
import { CONTACT_EMAIL_TAKEN, FIRST_TEMPORARY_ID } from "~/domain/codes/contacts.policy";
import { notFound } from "~/lib/errors";
import { InvalidInput, type WireNames } from "./check";
import { changedTextBy, sentOf } from "./wire";

const rules = codeContactSchema.shape;
const FOR_NEW = "Needed of a new contact";

/** A contact of a code (COD-08). */
export const wireCodeContact = z
  .object({
    id: z.number().int().nullish().describe("0 or less, or left out: a new one"),
    contactType: changedTextBy(rules.contactType, { choices: CONTACT_TYPE_NAMES, description: FOR_NEW }),
    name: changedTextBy(rules.firstName, { description: `First name. ${FOR_NEW}` }),
    lastname: changedTextBy(rules.lastName, { description: FOR_NEW }),
    position: changedTextBy(rules.jobTitle, { description: "Job title" }),
    department: changedTextBy(rules.department),
    telephone: changedTextBy(rules.phoneNumber),
    mobile: changedTextBy(rules.mobile),
    fax: changedTextBy(rules.fax),
    email: changedTextBy(rules.emailAddress, { description: FOR_NEW }),
  })
  .strict();

type WireContact = z.output<typeof wireCodeContact>;

/** The API's names of the fields of the contact form, by the names in the form. */
export const CONTACT_NAMES: WireNames = {
  firstName: "name",
  lastName: "lastname",
  jobTitle: "position",
  phoneNumber: "telephone",
  emailAddress: "email",
};

const isNew = ({ id }: WireContact) => (id ?? 0) <= 0;

const sentFields = ({ contactType, name, lastname, position, department, mobile, fax, ...rest }: WireContact) => ({
  contactType,
  firstName: name,
  lastName: lastname,
  jobTitle: position,
  department,
  mobile,
  fax,
  phoneNumber: rest.telephone,
  emailAddress: rest.email,
});

/**
 * Returns a contact in the format of the contact form. Fields of a stored contact that are not sent keep their values. Throws a PortalError
 * (404) for an unknown id.
 * @param index The position of the contact in the request, for the error.
 * @param stored The stored contacts of the code.
 */
export function toCodeContactForm(contact: WireContact, index: number, stored: readonly CodeContactForm[]) {
  const before = isNew(contact) ? {} : stored.find(({ id }) => id === contact.id);
  if (!before) throw notFound(`contacts.${index}.id`);
  return { ...before, ...sentOf(sentFields(contact)) };
}

/** Throws InvalidInput for the first contact that has the same value as an earlier one. */
function demandDistinct(values: readonly (number | string)[], field: string, message: string): void {
  const again = values.findIndex((value, index) => values.indexOf(value) < index);
  if (again >= 0) throw new InvalidInput({ [`contacts.${again}.${field}`]: message });
}

/**
 * Returns the contacts in the format of a code's draft. A new contact gets a temporary id. Throws InvalidInput for duplicate ids or email
 * addresses.
 * @param sent The contacts as sent.
 * @param forms The same contacts, parsed by the rules of the contact form.
 */
export function heldContacts(sent: readonly WireContact[], forms: readonly ContactForm[]): CodeContactForm[] {
  const idOf = (contact: WireContact, index: number) =>
    isNew(contact) ? FIRST_TEMPORARY_ID - index : (contact.id ?? 0);
  const ids = sent.map(idOf);
  demandDistinct(ids, "id", "This contact is there twice.");
  demandDistinct(
    forms.map(({ emailAddress }) => emailAddress.toLowerCase()),
    "email",
    CONTACT_EMAIL_TAKEN,
  );
  return forms.map((form, index) => ({ ...form, id: ids[index] ?? 0 }));
}

import { addressLabels } from "../forms/address-fields";

export const CODE_FORM = "code-details";
export const CONTACT_FORM = "code-contact";

/** The labels of a code's fields, for the page and the error summary. */
export const CODE_LABELS = {
  subcode: "Subcode",
  entityName: "Entity name",
  shortName: "Short name",
  tradeName: "Trade name",
  status: "Status",
  vatNumber: "VAT number",
  directParentId: "Direct parent",
  domesticParentId: "Domestic ultimate parent",
  globalParentId: "Global ultimate parent",
  dunsNumber: "DUNS number",
  entityTypes: "Entity types",
  otherText: "Other entity type",
  useCompanyAddress: "Use company address",
  usePhysicalAddress: "Use physical address",
} as const;

export const ALL_CODE_LABELS: Readonly<Record<string, string>> = {
  ...CODE_LABELS,
  ...addressLabels("physicalAddress.", " (physical address)"),
  ...addressLabels("mailingAddress.", " (mailing address)"),
};

export const CONTACT_LABELS = {
  contactType: "Contact type",
  firstName: "First name",
  lastName: "Last name",
  jobTitle: "Job title",
  department: "Department",
  phoneNumber: "Telephone",
  mobile: "Mobile",
  fax: "Fax",
  emailAddress: "Email",
} as const;

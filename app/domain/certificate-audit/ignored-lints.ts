const OWN_WARNING =
  "The portal's own lint 'email-only-in-subject' warns staff of it before they approve: the customer's CSR decides.";

/** Lints of other programs that do not apply to this CA, with the reason. The configuration can add others (`lints.ignore`). */
export const IGNORED_LINTS: Readonly<Record<string, string>> = {
  "zlint e_ext_san_uri_host_not_fqdn_or_ip":
    "OFTP2 software finds a station by a URI of oftp:// and its OFTP ID (RFC 5024 §5.4), which is no host.",
  "zlint e_key_usage_and_extended_key_usage_inconsistent":
    "Signing files has no extended key usage. A certificate for it and for TLS has nonRepudiation beside serverAuth.",
  "zlint e_subj_email_not_in_san": OWN_WARNING,
  "pkilint pkix.invalid_uri_syntax":
    "pkilint takes every URI of oftp:// for invalid. The portal's own lint 'alternative-names' checks the other URIs.",
  "pkilint pkix.subject_email_address_not_in_san": OWN_WARNING,
};

/** A field's name in words: `confirmEmail` → "Confirm email", `companyAddress.addressLine1` → "Company address line 1". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/[.[\]]+/g, " ")
    .replace(/([a-z])([A-Z\d])/g, "$1 $2")
    .toLowerCase()
    .trim()
    .replace(/\b(\w+) \1\b/g, "$1")
    .replace(/\b(csr|id|url|vat)\b/g, (abbreviation) => abbreviation.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A message that says which field it is about, unless its words do already. */
export function namedMessage(label: string, message: string): string {
  return message.toLowerCase().includes(label.toLowerCase()) ? message : `${label}: ${message}`;
}

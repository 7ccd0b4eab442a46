/** Returns a field's name in words: `confirmEmail` → "Confirm email", `companyAddress.addressLine1` → "Company address line 1". */
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

/** Returns the message with the label of its field, unless the message contains it already. */
export function namedMessage(label: string, message: string): string {
  return message.toLowerCase().includes(label.toLowerCase()) ? message : `${label}: ${message}`;
}

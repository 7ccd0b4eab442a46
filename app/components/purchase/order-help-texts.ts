/**
 * The help texts of the order steps' fields. They are separate from the others (`help-texts.ts`), so that these steps load only their own.
 */
export const ORDER_HELP = {
  customerOrderNumber: "Your own number for this purchase; it appears on the invoice.",
  promotionCode:
    "9 or 10 characters. A code can be used once, for a certificate that is valid at least as long as the code says.",
  ssid: "9 to 25 characters: O, four digits, then letters, digits, spaces or hyphens.",
  hasSecureSession: "Client and server authentication with TLS, as OFTP2 uses it.",
  hasEmail: "Signed and encrypted email (S/MIME).",
  hasEncryption: "Encryption of files for you.",
  hasFileSigning: "Signatures on files and on receipts.",
} as const;

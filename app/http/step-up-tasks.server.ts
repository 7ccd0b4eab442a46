import { actionAnchor, userActionTexts } from "~/domain/accounts/administration/user-administration-texts";
import { USER_ACTIONS } from "~/domain/accounts/administration/user-administration.policy";
import { DECISION_ANCHOR } from "~/domain/certificates/queue/queue-fields";

/** What the pages that open only after a fresh proof are for, as the rest of the sentence "Confirm who you are to …". */
export const PAGE_TASKS = {
  "own-data": "see everything that this portal holds about you",
  data: "see everything that this portal holds about a person",
  erasure: "decide about the erasure of your data",
  client: "make an API client",
  webhook: "make a webhook",
  app: "add an authenticator app",
  file: "download a file",
} as const;

export type PageTask = keyof typeof PAGE_TASKS;

/** What a form does that is sent only after a fresh proof. */
export interface FormTask {
  /** The rest of the sentence "Confirm who you are to …". */
  to: string;
  /** The caption of the button that sends the form after the proof; "" when it can be one of several. */
  button: string;
  /** The anchor of the card with the button, where that is far below the top of the page. */
  at?: string | undefined;
  /** Whether the page of the form opens only after a proof, so that Cancel cannot lead back to it. */
  isBehindProof?: boolean | undefined;
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** The forms that need a fresh proof. The parameters say what they are about, as the page shows it. */
export const FORM_TASKS = {
  /** Approves an order, perhaps with checks that the same button records. */
  approve: (order: string, isRecording = false) => ({
    to: `approve the order ${order}`,
    button: isRecording ? "Record and approve" : "Approve",
    at: DECISION_ANCHOR,
  }),
  approveStanding: (id: number) => ({ to: `approve the standing authorisation ${id}`, button: "Approve" }),
  approveMany: (count: number) => ({ to: `approve ${counted(count, "order")}`, button: "Approve" }),
  reissue: (certificate: number) => ({ to: `reissue certificate ${certificate}`, button: "Reissue certificate" }),
  revoke: (commonName: string) => ({ to: `revoke the certificate of ${commonName}`, button: "Revoke Certificate" }),
  /** An action on an account, by the button that was pressed. */
  account: (sent: FormDataEntryValue | null, email: string) => {
    const action = USER_ACTIONS.find((one) => one === sent);
    if (!action) return { to: `change the account ${email}`, button: "" };
    const { button, aim } = userActionTexts(action);
    return { to: `${aim} ${email}`, button, at: actionAnchor(action) };
  },
  makeUser: () => ({ to: "make an account for a person", button: "Make account" }),
  importUsers: (count: number) => ({ to: `import ${counted(count, "account")}`, button: "Import" }),
  changePerson: (name: string) => ({ to: `change the details of ${name}`, button: "Save" }),
  approveRequest: (email: string) => ({
    to: `approve what another user administrator asks for the account ${email}`,
    button: "Approve request",
  }),
  refuseRequest: (email: string) => ({ to: `refuse or withdraw what was asked for the account ${email}`, button: "" }),
  saveBanner: () => ({ to: "change the banner of the home page", button: "Update" }),
  removeBanner: () => ({ to: "remove the banner of the home page", button: "Remove banner" }),
  security: () => ({ to: "change your email address, password or security question", button: "Save" }),
  addApp: () => ({ to: "add an authenticator app", button: "Add the app", isBehindProof: true }),
  addPasskey: () => ({ to: "add a passkey", button: "Add a passkey" }),
  removeFactor: (name: string) => ({ to: `remove the second factor ${name}`, button: "Remove" }),
  removeFromSigner: (name: string) => ({ to: `remove ${name} from the signer`, button: "Remove" }),
  renewCodes: () => ({ to: "make new recovery codes", button: "Make new codes" }),
  makeClient: () => ({ to: "make an API client", button: "Make the client", isBehindProof: true }),
  changeClient: (name: string) => ({ to: `change the API client ${name}`, button: "Save" }),
  makeSecret: (name: string) => ({ to: `make a new secret for the API client ${name}`, button: "Make a new secret" }),
  makeWebhook: () => ({ to: "make a webhook", button: "Make the webhook", isBehindProof: true }),
  changeWebhook: (host: string) => ({ to: `change the webhook to ${host}`, button: "Save" }),
  makeWebhookSecret: (host: string) => ({
    to: `make a new secret for the webhook to ${host}`,
    button: "Make a new secret",
  }),
  makeAcmeKey: () => ({ to: "make an ACME key", button: "Make the key" }),
  askErasure: () => ({ to: "ask for the erasure of your data", button: "Erase your data", isBehindProof: true }),
  keepData: () => ({
    to: "withdraw your request for the erasure of your data",
    button: "Keep your data",
    isBehindProof: true,
  }),
};

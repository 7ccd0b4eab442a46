import { setSigner } from "~/domain/authorities/signers.server";
import { apiClientOf } from "../../support/api";
import { type CallDeed } from "../../support/audited";
import { checksDone, createCertificateOrder } from "../../support/certificates";
import { createAdmin, createUser, TEST_PASSWORD } from "../../support/factories";
import { type useOpenssl } from "../../support/openssl";

type MakeCsr = ReturnType<typeof useOpenssl>["makeCsr"];

/** Calls about orders of the queue, by path. */
export function queueCallDeeds(makeCsr: MakeCsr): Record<string, CallDeed> {
  const program = async () => apiClientOf((await createAdmin()).email, TEST_PASSWORD);
  const order = async (given: Parameters<typeof createCertificateOrder>[2] = {}) =>
    (await createCertificateOrder(await createUser(), makeCsr().der, given)).id;
  const about = (event: string, fields: object = {}): CallDeed => ({
    events: [event],
    prepare: async () => ({ client: await program(), body: { certificateId: await order(), ...fields } }),
  });
  return {
    "Queue/AddEvidence": about("certificate.evidence-added", { check: "organisation", text: "Active" }),
    "Queue/RecordChecks": about("certificate.contact-checked", { contact: "Called back" }),
    "Queue/TakeOrder": about("certificate.order-taken"),
    "Queue/ReleaseOrder": {
      events: ["certificate.order-released"],
      prepare: async () => {
        const [client, body] = [await program(), { certificateId: await order() }];
        await client.post("Queue/TakeOrder", body);
        return { client, body };
      },
    },
    "Queue/AddComment": about("certificate.order-commented", { comment: "Calls back." }),
    "Queue/RemindContacts": {
      events: ["certificate.contact-reminded"],
      prepare: async () => ({ client: await program(), body: { certificateIds: [await order()] } }),
    },
    "Queue/RejectOrder": about("certificate.rejected", { reason: "Unknown" }),
    "Queue/CancelOrder": about("certificate.cancelled", { reason: "Ordered twice" }),
    "Queue/UndoApproval": {
      events: ["certificate.issuing-undone"],
      prepare: async () => {
        const [client, id] = [await program(), await order(checksDone())];
        setSigner("issuing-sha2", { hash: "sha256", sign: () => Promise.reject(new Error("the key store is away")) });
        await client.post("certificates/ApproveOrders", { certificateIds: [id] });
        setSigner("issuing-sha2", null);
        return { client, body: { certificateId: id } };
      },
    },
  };
}

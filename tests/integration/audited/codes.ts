import { stopFollowingUrl } from "~/domain/codes/certificates/stop-link.server";
import { certificatePaths } from "~/lib/certificate-paths";
import { paths } from "~/lib/paths";
import { getDb } from "~db/connection.server";
import { insertEntityCertificate } from "~db/repositories/entity-certificates.server";
import { insertFollower, listFollowers } from "~db/repositories/entity-followers.server";
import { inTransaction } from "~db/transaction.server";
import { type Deed, deed } from "../../support/audited";
import { issueCertificate } from "../../support/certificates";
import { begin, CONTACT, ENTITY, openContact, pageOf } from "../../support/code-details";
import { createAvailableCodes, createCode } from "../../support/codes";
import { createUser } from "../../support/factories";
import { anonymous, signedInAs } from "../../support/visitor";
import { buyerAtInvoice, buyerAtOrder, CODE_ORDER, newCodeBuyer } from "../code-purchase-journey";

/** Returns the request of an owner who changes these fields on the page of a code. */
const changing = (change: Record<string, string>) => async () => {
  const owner = await createUser();
  const visitor = await signedInAs(owner);
  const path = paths.codeDetails({ code: (await createCode(owner)).id });
  const { version = "" } = (await pageOf(visitor, path)).values;
  return { visitor, path, fields: { ...ENTITY, status: "Registered", version, ...change } };
};

/** Begins to register an entity as a customer. Returns the address of its form. */
async function registering() {
  const owner = await createUser();
  await createAvailableCodes(owner, "Full", 1);
  const visitor = await signedInAs(owner);
  return { visitor, path: await begin(visitor, { type: "Full" }) };
}

/** Returns an owner who follows an own entity. */
async function following() {
  const user = await createUser();
  const { id: codeId, companyId } = await createCode(user);
  const row = { codeId, userId: user.id, companyId, followedAt: new Date() };
  await inTransaction((trx) => insertFollower(trx, row));
  return { visitor: await signedInAs(user), codeId };
}

/** Returns the request of an owner on the page of an entity with a certificate, which is published there if asked for. */
const ofEntity = (isPublished: boolean, given: Record<string, string>) => async () => {
  const owner = await createUser();
  const { id: codeId, companyId } = await createCode(owner);
  const { id: certificateId } = await issueCertificate({ customer: owner });
  const row = { codeId, certificateId, companyId, publishedBy: owner.id, publishedAt: new Date() };
  if (isPublished) await inTransaction((trx) => insertEntityCertificate(trx, row));
  return {
    visitor: await signedInAs(owner),
    path: certificatePaths.entity(codeId),
    params: { id: String(codeId) },
    fields: { ...given, others: String(certificateId), certificateId: String(certificateId) },
  };
};

/** Actions about codes and their orders, by route. */
export const CODES: Record<string, readonly Deed[]> = {
  "home.code.purchase.contact-details": [
    deed("confirming the own details", [], async () => {
      const { visitor, url } = await newCodeBuyer();
      return { visitor, path: url("contact-details") };
    }),
  ],
  "home.code.purchase.order": [
    deed("filling in an order of codes", [], async () => {
      const { visitor, url } = await buyerAtOrder();
      return { visitor, path: url("order"), fields: CODE_ORDER };
    }),
  ],
  "home.code.purchase.invoice-address": [
    deed("ordering codes", ["order.created"], async () => {
      const buyer = await buyerAtInvoice();
      return { visitor: buyer.visitor, path: buyer.url("invoice-address"), fields: await buyer.invoiceFields() };
    }),
  ],
  "_public.stop-following.$token": [
    deed("stopping the messages about an entity by a link", ["code.unfollowed"], async () => {
      const { codeId } = await following();
      const [follower] = await listFollowers(getDb(), codeId);
      const { pathname } = new URL(stopFollowingUrl(follower?.id ?? 0));
      return { visitor: await anonymous(), path: pathname, params: { token: pathname.split("/").at(-1) ?? "" } };
    }),
  ],
  "home.entity-certificates._index": [
    deed("following an entity no more", ["code.unfollowed"], async () => {
      const { visitor, codeId } = await following();
      return { visitor, path: certificatePaths.followed, fields: { codeId: String(codeId) } };
    }),
  ],
  "home.entity-certificates.$id": [
    deed("publishing a certificate", ["code.certificate-published"], ofEntity(false, { intent: "publish" })),
    deed("following an entity", ["code.followed"], ofEntity(false, { intent: "follow" })),
    deed("ending a publication", ["code.certificate-ended"], ofEntity(true, { intent: "end" })),
  ],
  "home.codes": [
    deed("opening a code", [], async () => {
      const owner = await createUser();
      const { id } = await createCode(owner);
      return { visitor: await signedInAs(owner), fields: { intent: "view", id: String(id) } };
    }),
  ],
  "home.codes_.code-details": [
    deed("registering an entity", ["code.entity-registered"], async () => ({
      ...(await registering()),
      fields: ENTITY,
    })),
    deed("changing a code", ["code.changed"], changing({ entityName: "Plant South" })),
    deed("cancelling a code", ["code.changed"], changing({ status: "Cancelled", confirmed: "yes" })),
    deed("being asked whether to cancel a code", [], changing({ status: "Cancelled" })),
  ],
  "home.codes_.code-details_.contact-details": [
    deed("filling in a contact", [], async () => {
      const { visitor, path } = await registering();
      return { visitor, path: await openContact(visitor, path, ENTITY), fields: CONTACT };
    }),
  ],
};

import { describe, expect, test } from "vitest";
import { orderNumber } from "~/domain/orders/order-number";
import { type Shell } from "~/domain/shell";
import { loadShell } from "~/http/shell.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { staffPaths } from "~/lib/staff-paths";
import * as confirmPage from "~/routes/_public.second-factors_.confirm/route";
import * as trailFile from "~/routes/home.audit-trail_.file";
import * as queuePage from "~/routes/home.certificate-queue.$id/route";
import * as reissuePage from "~/routes/home.certificate.reissue.$id/route";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import * as managePage from "~/routes/home.manage/route";
import * as codesFile from "~/routes/home.promotion-codes.file.$batch";
import * as ordersFile from "~/routes/home.sale-orders_.export[.]csv";
import * as eventsFile from "~/routes/home.security-events_.file";
import { changedTables, eventsAfter, lastEntry, stateOfTables } from "../support/audited";
import { checksDone, createCertificateOrder, issueCertificate, readCertificate } from "../support/certificates";
import { createAdmin, createUser } from "../support/factories";
import { giveApp } from "../support/factors";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { createMany, newBatch } from "../support/promotion-codes";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { storeProof } from "../support/sessions";
import {
  type StepUpRequest,
  administering,
  BANNER,
  form,
  send,
  confirm,
  addressOf,
  targetIn,
  PAGE,
} from "../support/step-up";
import { jsonOf, signedInAs } from "../support/visitor";
import { confirmed } from "./revoking";

usePortal();
const { makeCsr } = useOpenssl();

interface Task {
  what: string;
  /** The audit entries of the task, sorted. */
  events: readonly string[];
  /** The form that is filled in again. */
  formId?: string;
  /** The anchor of the card with the button, to which the confirmation leads back. */
  card?: string;
  prepare: () => Promise<StepUpRequest>;
}

/** Every task that asks for a fresh proof. */
const TASKS: readonly Task[] = [
  {
    what: "approving an order",
    events: ["certificate.approved", "certificate.issued", "invoice.issued"],
    formId: "queue-order",
    card: "#decision",
    prepare: async () => {
      const { id } = await createCertificateOrder(await createUser(), makeCsr().der, checksDone());
      const fields = { intent: "approve", confirmed: "yes" };
      const named = `approve the order ${orderNumber((await readCertificate(id)).orderId)}`;
      const at = { path: paths.certificateQueueOrder(id), params: { id: String(id) } };
      return { handler: queuePage.action, ...at, fields, named, button: "Approve" };
    },
  },
  {
    what: "reissuing a certificate",
    events: ["certificate.approved", "certificate.issued", "certificate.reissued", "certificate.reissued"],
    formId: "reissue",
    prepare: async () => {
      const { id } = await issueCertificate({ customer: await createUser(), csr: makeCsr().der });
      const fields = { csr: makeCsr().pem, reason: "Key lost", confirmed: "yes" };
      const at = { path: rarePaths.certificateReissue(id), params: { id: String(id) } };
      const named = `reissue certificate ${id}`;
      return { handler: reissuePage.action, ...at, fields, named, button: "Reissue certificate" };
    },
  },
  {
    what: "revoking a certificate of somebody else",
    events: ["certificate.revoked"],
    formId: "revoke",
    prepare: async () => {
      const { id } = await issueCertificate({ customer: await createUser(), csr: makeCsr().der });
      const at = { path: paths.certificateRevoke(id), params: { id: String(id) } };
      const named = `revoke the certificate of ${(await readCertificate(id)).commonName}`;
      return { handler: revokePage.action, ...at, fields: confirmed(), named, button: "Revoke Certificate" };
    },
  },
  ...[
    { what: "granting a right", events: ["account.right-granted"], prepare: administering("grant-admin") },
    {
      what: "withdrawing a right",
      events: ["account.right-withdrawn"],
      prepare: administering("withdraw-admin", { isAdmin: true }),
    },
    { what: "disabling an account", events: ["account.disabled"], prepare: administering("disable") },
    {
      what: "enabling an account",
      events: ["account.enabled"],
      prepare: administering("enable", { isDisabled: true }),
    },
    { what: "locking an account", events: ["account.locked"], prepare: administering("lock") },
    { what: "ending sessions", events: ["account.sessions-ended"], prepare: administering("end-sessions") },
    {
      what: "logging in as a user",
      events: ["account.acting-allowed"],
      prepare: administering("log-in-as"),
    },
  ].map((task) => ({ ...task, formId: "user", card: task.what.endsWith("a right") ? "#rights" : "#login" })),
  {
    what: "changing the configuration",
    events: ["homepage.updated"],
    formId: "homepage",
    prepare: () =>
      Promise.resolve({
        handler: managePage.action,
        path: staffPaths.manage,
        fields: form("homepage", BANNER),
        named: "change the banner of the home page",
        button: "Update",
      }),
  },
  {
    what: "exporting the audit trail",
    events: ["audit.exported"],
    prepare: () =>
      Promise.resolve({
        handler: trailFile.loader,
        path: `${staffPaths.auditTrailFile}?user=x`,
        named: "download the audit trail",
      }),
  },
  {
    what: "exporting the security events",
    events: ["security-events.exported"],
    prepare: () =>
      Promise.resolve({
        handler: eventsFile.loader,
        path: staffPaths.securityEventsFile,
        named: "download the security events",
      }),
  },
  {
    what: "exporting sales orders",
    events: ["orders.exported"],
    prepare: () =>
      Promise.resolve({
        handler: ordersFile.loader,
        path: "/home/sale-orders/export.csv?all=yes",
        named: "download the sales orders",
      }),
  },
  {
    what: "downloading promotion codes",
    events: [],
    prepare: async () => {
      const batch = newBatch();
      await createMany(await signedInAs(await createAdmin()), { batch });
      return {
        handler: codesFile.loader,
        path: staffPaths.promotionCodeFile(batch),
        params: { batch },
        named: "download the promotion codes",
      };
    },
  },
];

describe.each(TASKS.map((task) => [task.what, task] as const))(
  "%s",
  (_what, { events, formId, card = "", prepare }) => {
    test("needs a proof of this session of at most ten minutes ago", async () => {
      const admin = await createAdmin();
      const visitor = await signedInAs({ ...admin, proof: null });
      const request = await prepare();
      const refusedAs = async () => {
        const [before, last] = [await stateOfTables(), await lastEntry()];
        const answer = await send(visitor, request);
        expect(addressOf(answer)).toMatch(PAGE);
        expect([changedTables(before, await stateOfTables()), await eventsAfter(last)]).toEqual([[], []]);
        return addressOf(answer);
      };
      await refusedAs();
      await signedInAs(admin);
      await refusedAs();
      await storeProof(admin, "password", 10);
      await refusedAs();
      const { app } = await giveApp(admin);
      await storeProof(admin, "password", 1);
      await refusedAs();
      await storeProof(admin, "totp", 11);

      const address = await refusedAs();
      const { html } = await openPage(confirmPage, visitor, address);
      expect(pageText(html)).toContain(`Confirm who you are to ${request.named}`);
      const target = targetIn(address);
      expect(target).toMatch(formId ? /[?&]unsent=[\w-]{22}$/ : /^\/home\/[\w-]+\/(file|export)/);
      const answer = await confirm(visitor, address, { code: app.code() });
      expect(answer.status).toBe(303);
      if (formId) {
        expect(addressOf(answer)).toBe(target + card);
        expect(await toastOf(visitor)).toContain(
          `Nothing was changed yet. Now press “${request.button}” to ${request.named}. If you typed something, it is still there.`,
        );
        const { unsent } = await jsonOf<Shell>(await loadShell(visitor.get(target)));
        expect(unsent).toEqual({ formId, values: request.fields, hadSecrets: false });
      } else {
        expect(addressOf(answer)).toBe(rarePaths.privateFile(request.path));
        expect(await toastOf(visitor)).toMatch(/Now download the file\.$/);
      }
      const last = await lastEntry();
      const done = await send(visitor, request);
      expect(done.status).toBe(formId ? 303 : 200);
      expect(addressOf(done)).not.toMatch(PAGE);
      expect(await eventsAfter(last)).toEqual(events);
    });
  },
);

import { describe, expect, test } from "vitest";
import { describeCrl } from "~/ca/crl/describe.server";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { carryOutDueRevocations } from "~/domain/certificates/revocation/revocation.service.server";
import { formatDateTime } from "~/lib/dates";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import { getDb } from "~db/connection.server";
import { isKeyBlocked } from "~db/repositories/blocked-keys.server";
import { auditEventsOf, mailsOf, readCertificate } from "../support/certificates";
import { pageText, valueOf } from "../support/page";
import { openPage } from "../support/route-page";
import { errorsOf } from "../support/visitor";
import { at, confirmed, inSeconds, inWholeSeconds, kindsOf, lists, toastOf, useRevoking } from "./revoking";

const { people, issue, send, verifyWithLists } = useRevoking();

describe("scheduling a revocation", () => {
  test("[REV-04] keeps it as RequestRevoke, carries it out once at its time, and publishes it then", async () => {
    const { id, der, serialNumber, orderId } = await issue();
    await publishCrls("issuing-sha2");
    const moment = inWholeSeconds(3600);
    const answer = await send(id, confirmed({ revocationReason: "3", ...at(moment) }));
    const { kind, text } = (await toastOf(answer)) ?? { kind: "", text: "" };
    expect(kind).toBe("ok");
    expect(text).toMatch(/^The certificate will be revoked on \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC\.$/);
    expect(await readCertificate(id)).toMatchObject({ status: "RequestRevoke", revocationDate: moment.toISOString() });
    expect(await carryOutDueRevocations(new Date(moment.getTime() - 1000))).toBe(0);
    expect(await verifyWithLists(der)).toContain(": OK\n");

    const counts = await Promise.all([carryOutDueRevocations(moment), carryOutDueRevocations(moment)]);
    expect(counts.sort()).toEqual([0, 1]);
    expect(await readCertificate(id)).toMatchObject({
      status: "Revoked",
      revocationDate: moment.toISOString(),
      revokedBy: people.customer.id,
    });
    expect(await verifyWithLists(der)).toContain("certificate revoked");
    const { delta } = await lists();
    expect(describeCrl(delta.der).find(serialNumber)).toMatchObject({ reason: 3, revocationDate: moment });
    expect((await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.includes("revoked"))).toHaveLength(1);
    expect(await auditEventsOf(id)).toEqual(
      expect.arrayContaining(["certificate.revocation-requested", "certificate.revoked"]),
    );
  });

  test("[REV-04][CER-09] allows owner and staff to bring it forward but never to postpone it, as the page says", async () => {
    const { id } = await issue();
    const [first, sooner, soonest] = [inWholeSeconds(7200), inWholeSeconds(3600), inWholeSeconds(1800)];
    await send(id, confirmed({ ...at(first), revocationDescription: "Replaced in March" }));
    const { html } = await openPage(revokePage, people.customer.visitor, `/home/certificate/revoke/${id}`, {
      params: { id: String(id) },
    });
    const [day, time] = [first.toISOString().slice(0, 10).split("-").reverse().join("/"), at(first).revocationTime];
    const scheduled = `A revocation is already scheduled for ${day} ${time} UTC and can only be brought forward.`;
    expect(pageText(html)).toContain(scheduled);
    expect(valueOf(html, "revocationReason")).toBe("4");
    expect(valueOf(html, "revocationDescription")).toBe("Replaced in March");
    const others = [
      at(inWholeSeconds(9000)),
      { ...at(first), revocationReason: "3" },
      { ...at(first), revocationDescription: "x" },
    ];
    for (const fields of others) {
      const { status, errors } = await errorsOf(await send(id, confirmed(fields)));
      expect({ status, errors }).toEqual({ status: 422, errors: { revocationDate: scheduled } });
    }
    expect((await errorsOf(await send(id, confirmed(at(first)), people.admin.visitor))).status).toBe(422);
    expect((await send(id, confirmed({ revocationReason: "3", ...at(sooner) }))).status).toBe(303);
    expect((await send(id, confirmed(at(soonest)), people.admin.visitor)).status).toBe(303);
    expect(await readCertificate(id)).toMatchObject({
      status: "RequestRevoke",
      revocationDate: soonest.toISOString(),
      revocationReason: 4,
    });
    expect((await auditEventsOf(id)).slice(-3)).toEqual([
      "certificate.revocation-requested",
      "certificate.revocation-brought-forward",
      "certificate.revocation-brought-forward",
    ]);
    expect(await carryOutDueRevocations(soonest)).toBe(1);
    expect((await readCertificate(id)).status).toBe("Revoked");
  });

  test("[REV-03][MAI-01] tells the owner when it is scheduled and brought forward, by whomever", async () => {
    const { id, orderId } = await issue();
    const [first, sooner] = [inWholeSeconds(7200), inWholeSeconds(3600)];
    const notices = async () =>
      (await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.startsWith(`revocation-scheduled:${id}:`));
    const fields = confirmed({ ...at(first), revocationReason: "3", revocationDescription: "The plant is sold" });
    await send(id, fields);
    await send(id, fields);
    const [notice, ...others] = await notices();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ recipient: people.customer.email });
    expect(notice?.subject).toMatch(/^Your certificate for .+ will be revoked$/);
    const moment = (date: Date) => `${formatDateTime(date.toISOString())} UTC`;
    for (const text of [moment(first), "Affiliation Changed", "The plant is sold"])
      expect(notice?.text).toContain(text);
    await send(id, confirmed(at(sooner)), people.admin.visitor);
    expect((await notices()).map(({ text }) => text.includes(moment(sooner)))).toEqual([false, true]);
  });

  test("[REV-03] several times, at once and again, schedules it once with the same answer", async () => {
    const { id } = await issue();
    const fields = confirmed({ ...at(inWholeSeconds(3600)), revocationReason: "0", revocationDescription: "Retired" });
    const answers = await Promise.all([send(id, fields), send(id, fields), send(id, fields)]);
    answers.push(await send(id, fields));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const texts = await Promise.all(answers.map(async (answer) => (await toastOf(answer))?.text));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain("The certificate will be revoked on ");
    const events = async () => (await auditEventsOf(id)).filter((event) => event.startsWith("certificate.revo"));
    expect(await events()).toEqual(["certificate.revocation-requested"]);
  });

  test("[REV-04][CAL-03] allows carrying it out at once, only once, and it is in the CRLs then", async () => {
    const { id, der, orderId } = await issue();
    await send(id, confirmed(at(inWholeSeconds(7200))));
    const answers = await Promise.all(Array.from({ length: 3 }, () => send(id, confirmed({ revocationReason: "1" }))));
    expect(await kindsOf(answers)).not.toContain("bad");
    expect(await readCertificate(id)).toMatchObject({ status: "Revoked", revocationReason: 1 });
    expect(await verifyWithLists(der)).toContain("certificate revoked");
    expect((await auditEventsOf(id)).slice(-3)).toEqual([
      "certificate.revocation-brought-forward",
      "certificate.revoked",
      "key.blocked",
    ]);
    await carryOutDueRevocations(inWholeSeconds(7300));
    expect((await auditEventsOf(id)).filter((event) => event === "certificate.revoked")).toHaveLength(1);
    expect((await mailsOf(orderId)).filter(({ dedupeKey }) => dedupeKey.includes("revoked"))).toHaveLength(1);
  });

  test("[REV-04] keeps a reported compromise of the key", async () => {
    const { id } = await issue();
    await send(id, confirmed({ revocationReason: "1", ...at(inWholeSeconds(7200)) }));
    const { errors } = await errorsOf(await send(id, confirmed({ revocationReason: "4" })));
    expect(errors).toEqual({
      revocationReason: "The key was reported as compromised: the reason stays Key Compromised.",
    });
    expect((await send(id, confirmed({ revocationReason: "1" }))).status).toBe(303);
  });

  test("[REV-04] blocks a compromised key at once", async () => {
    const { id, keyIdentity } = await issue();
    await send(id, confirmed({ revocationReason: "1", ...at(inSeconds(7200)) }));
    expect(await isKeyBlocked(getDb(), keyIdentity)).toBe(true);
  });
});

import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { colonHex } from "~/lib/hex";
import { typedDay } from "~/lib/typed-dates";
import * as revokePage from "~/routes/home.certificate.revoke.$id";
import { type CertificateStatus } from "~db/tables";
import { readCertificate, setCertificate } from "../support/certificates";
import { atOneMoment } from "../support/clock";
import { pageText, select, textsOf, valueOf } from "../support/page";
import { openPage } from "../support/route-page";
import { anonymous, errorsOf } from "../support/visitor";
import { at, confirmed, form, inSeconds, toastOf, useRevoking } from "./revoking";

const { people, issue, send, open } = useRevoking();

describe("the revoke page", () => {
  test("[REV-01] shows read-only information, reasons with a placeholder, limits and defaults", async () => {
    const { id, serialNumber, startDate, expiryDate } = await issue();
    const path = `/home/certificate/revoke/${id}`;
    const { status, html, today } = await atOneMoment(async (now) => ({
      ...(await openPage(revokePage, people.customer.visitor, path, { params: { id: String(id) } })),
      today: now.toISOString().slice(0, 10),
    }));
    expect(status).toBe(200);
    for (const expected of [
      "Revocation is irreversible",
      "an automated email confirms it",
      "oftp.acme.example",
      colonHex(serialNumber),
      people.customer.email,
      people.customer.telephoneNumber,
      "(UTC)",
    ])
      expect(pageText(html)).toContain(expected);
    expect(select(html, '[name="revocationDescription"]').attr("maxlength")).toBe("230");
    expect(select(html, "#revoke-revocationDate").attr()).toMatchObject({ type: "text", value: typedDay(today) });
    expect(select(html, "#revoke-revocationDate-hint").text()).toBe("DD/MM/YYYY");
    expect(select(html, "#revoke-revocationTime").attr("type")).toBe("text");
    const picker = { min: startDate?.slice(0, 10), max: expiryDate?.slice(0, 10) };
    expect(select(html, '.js-only > input[type="date"]').attr()).toMatchObject(picker);
    expect(select(html, '.js-only > input[type="time"]').attr("step")).toBe("1");
    expect(textsOf(html, "form#revoke button[type=submit]")).toEqual(["Revoke Certificate"]);
    const $ = load(html);
    const options = $('[name="revocationReason"] option').toArray();
    expect(options.map((option) => `${option.attribs.value} ${$(option).text()}`)).toEqual([
      " Select revocation reason",
      "0 Unspecified",
      "1 Key Compromised",
      "3 Affiliation Changed",
      "4 Superseded",
    ]);
  });

  test("[REV-02] without scripts asks the exact question on a page of its own", async () => {
    const { id } = await issue();
    const path = `/home/certificate/revoke/${id}`;
    const fields = form({ revocationReason: "0", revocationDescription: "Not needed" });
    const { status, html } = await openPage(revokePage, people.customer.visitor, path, {
      params: { id: String(id) },
      fields,
    });
    expect(status).toBe(200);
    expect(pageText(html)).toContain(
      "Are you sure you wish to revoke this certificate? This process cannot be reversed.",
    );
    expect(valueOf(html, "confirmed")).toBe("yes");
    expect(valueOf(html, "revocationDescription")).toBe("Not needed");
    expect(textsOf(html, 'dt:contains("Description") + dd')).toEqual(["Not needed"]);
    expect(html).not.toContain("The certificate stays valid until then.");
    const later = await openPage(revokePage, people.customer.visitor, path, {
      params: { id: String(id) },
      fields: form(at(inSeconds(3600))),
    });
    expect(pageText(later.html)).toContain("The certificate stays valid until then.");
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[REV-02] keeps the typed values after Cancel on the confirmation and revokes nothing", async () => {
    const { id, expiryDate } = await issue();
    const fields = confirmed({
      revocationReason: "4",
      revocationDescription: "Not needed",
      ...at(expiryDate ?? ""),
      back: "yes",
    });
    const path = `/home/certificate/revoke/${id}`;
    const { status, html } = await openPage(revokePage, people.customer.visitor, path, {
      params: { id: String(id) },
      fields,
    });
    expect(status).toBe(200);
    expect(html).not.toContain("Are you sure you wish to revoke this certificate?");
    expect(textsOf(html, 'option[value="4"]:checked')).toEqual(["Superseded"]);
    expect(select(html, "textarea").val()).toBe("Not needed");
    expect(select(html, "input#revoke-revocationDate").val()).toBe(typedDay(fields.revocationDate));
    expect(select(html, "input#revoke-revocationTime").val()).toBe(fields.revocationTime);
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[REV-01] takes an unchanged date and time as now, also when the form comes back", async () => {
    const { id } = await issue();
    const loadedAt = "2026-11-21T10:00:00.123Z";
    const answers: Record<string, string>[] = [{ revocationReason: "0" }, { back: "yes" }];
    for (const again of answers) {
      const path = `/home/certificate/revoke/${id}`;
      const fields = form({ ...at(loadedAt), loadedAt, ...again });
      const { html } = await openPage(revokePage, people.customer.visitor, path, {
        params: { id: String(id) },
        fields,
      });
      expect(select(html, 'input[type="hidden"][name="loadedAt"]').val()).toBe(loadedAt);
      expect(valueOf(html, "revocationTime")).toBe("10:00:00");
    }
  });

  test.each([
    [{ revocationReason: "" }, { revocationReason: "This field is required." }],
    [{ revocationReason: "0" }, { revocationDescription: "This field is required." }],
    [{ revocationDescription: "x".repeat(231) }, { revocationDescription: "Entered value is not valid." }],
    [{ revocationDate: "" }, { revocationDate: "This field is required." }],
    [{ revocationDate: "2020-01-01" }, { revocationDate: "Entered value is not valid." }],
    [{ revocationDate: "2099-01-01" }, { revocationDate: "Entered value is not valid." }],
  ])("[REV-01] refuses %j, also when it is confirmed", async (change, errors) => {
    const { id } = await issue();
    for (const fields of [form(change), confirmed(change)])
      expect(await errorsOf(await send(id, fields))).toMatchObject({ status: 422, errors });
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  test("[REV-05][CER-08] without CSR, for a missing or somebody else's certificate redirects to the list and revokes nothing", async () => {
    const { id } = await issue();
    const other = await issue();
    await setCertificate(other.id, { csr: Buffer.alloc(0) });
    const attempts = [
      open(other.id),
      open(99_999_999),
      open("x"),
      open(id, people.stranger.visitor),
      send(id, confirmed(), people.stranger.visitor),
      send("x", confirmed()),
    ];
    for (const answer of await Promise.all(attempts)) {
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
      const toast = { kind: "warn", text: "There is no such certificate, or it is not yours." };
      expect(await toastOf(answer)).toEqual(toast);
    }
    expect((await open(id, await anonymous())).headers.get("Location")).toMatch(/^\/login/);
    expect((await readCertificate(id)).status).toBe("Issued");
  });

  const statuses: CertificateStatus[] = ["Pending", "Revoked", "Expired", "Cancelled", "Rejected", "Unknown"];
  test.each(statuses)("[CER-09] refuses a certificate that is %s", async (status) => {
    const { id } = await issue();
    await setCertificate(id, { status });
    const answer = await open(id);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/home/certificates"]);
    const refused = await toastOf(await send(id, confirmed()));
    expect(refused?.text).toMatch(
      /^There was an issue while revoking the certificate\. The .* Your request changed nothing\.$/,
    );
    expect((await readCertificate(id)).status).toBe(status);
  });
});

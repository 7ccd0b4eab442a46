import { describe, expect, test } from "vitest";
import { composeMail, type ComposedMail } from "~/domain/mail/compose.server";
import {
  accountsMergedMail,
  verifyEmailMail,
  verifyForMergeMail,
  verifyNewEmailMail,
} from "~/domain/mail/templates/accounts.server";
import { contactAuthorisationMail } from "~/domain/mail/templates/authorisation.server";
import { certificateIssuedMail, certificateRevokedMail } from "~/domain/mail/templates/certificates.server";
import { codeMaintenanceMail, codeOrderMail, codesAvailableMail } from "~/domain/mail/templates/code-orders.server";
import { changeEmailMail, emailChangeRequestedMail } from "~/domain/mail/templates/email-change.server";
import { accountLockedMail, resetRefusedMail, staffLockedMail } from "~/domain/mail/templates/locks.server";
import { newLoginMail } from "~/domain/mail/templates/new-login.server";
import { orderCancelledMail, orderConfirmationMail, orderRejectedMail } from "~/domain/mail/templates/orders.server";
import { passwordChangedMail, resetCodeMail } from "~/domain/mail/templates/recovery.server";
import { usePortal } from "../support/portal";

usePortal();

const url = "https://portal.example/x?a=1&b=2";
const order = { name: "Anna <b>Müller</b>", orderNumber: "SO-1001", commonName: "edi.example.com", steps: [], url };

const codes = { ...order, purchaseOrderNumber: "PO 7", codeType: "OSCAR Code Basic", numberOfCodes: 3 };

const newLogin = {
  name: order.name,
  username: "anna.m",
  at: new Date("2026-11-21T10:00:00Z"),
  address: "203.0.113.7",
  url,
};

/** Messages with their texts. `greets` is false for those that do not begin with the name of the reader. */
const MESSAGES: Record<string, { mail: () => ComposedMail; says: string[]; greets?: false }> = {
  "yearly maintenance of codes": {
    mail: () => codeMaintenanceMail({ ...codes, year: 2026, netCents: 10_000, vatCents: 2_000, totalCents: 12_000 }),
    says: ["is due for 2026", "SO-1001", "€120.00"],
  },
  "email verification": {
    greets: false,
    mail: () => verifyEmailMail({ url, validFor: "7 days" }),
    says: ["confirm", "7 days"],
  },
  "verification of a changed email": {
    greets: false,
    mail: () => verifyNewEmailMail({ url, validFor: "7 days" }),
    says: ["confirm", "changed to this one", "7 days"],
  },
  "new email": {
    greets: false,
    mail: () => changeEmailMail({ url, validFor: "7 days" }),
    says: ["confirm", "as the new one of an account", "Until then nothing changes", "7 days"],
  },
  "notice of a wanted email": {
    mail: () =>
      emailChangeRequestedMail({
        isByStaff: false,
        name: order.name,
        email: "new@example.com",
        at: new Date("2026-11-21T10:00:00Z"),
        url,
      }),
    says: ["21/11/2026 10:00:00 UTC", "new@example.com", "reset your password at once"],
  },
  "verification before a merge": {
    greets: false,
    mail: () => verifyForMergeMail({ url, validFor: "7 days", username: "anna.old" }),
    says: ["Whoever is logged in as anna.old asks to merge", "confirm only if this is you", "7 days"],
  },
  "merged accounts": {
    mail: () => accountsMergedMail({ name: order.name, username: "anna.old", usernames: ["anna.a", "anna.b"], url }),
    says: ["anna.a, anna.b were merged into the account anna.old", "contact us at once"],
  },
  "reset code": {
    mail: () =>
      resetCodeMail({
        occasion: "asked",
        name: order.name,
        account: { username: "anna.m", company: "Example Ltd", isOneOfSeveral: true },
        code: "aB3-_",
        url,
        validFor: "60 minutes",
      }),
    says: ["aB3-_", "60 minutes", "used once", "ignore this message", "anna.m", "Example Ltd", "for each of them"],
  },
  "password changed": {
    mail: () =>
      passwordChangedMail({ name: order.name, username: "anna.m", at: new Date("2026-11-21T10:00:00Z"), url }),
    says: ["21/11/2026 10:00:00 UTC", "reset your password at once", "anna.m"],
  },
  "new login in a browser": {
    mail: () => newLoginMail({ ...newLogin, isProgram: false, device: "Firefox on Windows" }),
    says: ["in a browser where", "21/11/2026 10:00:00 UTC", "Firefox on Windows", "203.0.113.7", "reset your password"],
  },
  "new login of a program": {
    mail: () => newLoginMail({ ...newLogin, isProgram: true, device: "curl/8.5.0" }),
    says: ["from a network where", "curl/8.5.0", "203.0.113.7", "Your sessions and devices"],
  },
  "locked by wrong passwords": {
    mail: () =>
      accountLockedMail({
        name: order.name,
        username: "anna.m",
        lockedUntil: new Date("2026-11-21T10:00:00Z"),
        url,
      }),
    says: ["21/11/2026 10:00:00 UTC", "anna.m", "logged in before", "reset your password", "nobody was let in"],
  },
  "locked by an administrator": {
    mail: () => accountLockedMail({ name: order.name, username: "anna.m", lockedUntil: null, url }),
    says: ["An administrator has locked your account", "anna.m", "contact us"],
  },
  "an administrator's account locked": {
    mail: () =>
      staffLockedMail({ name: order.name, username: "anna.m", lockedUntil: new Date("2026-11-21T10:00:00Z"), url }),
    says: ["the account of a member of staff", "anna.m", "21/11/2026 10:00:00 UTC", "whether it was a mistake"],
  },
  "no reset code": {
    mail: () => resetRefusedMail({ name: order.name, username: "anna.m", url }),
    says: ["An administrator has locked this account", "anna.m", "contact us"],
  },
  "order confirmation": {
    mail: () =>
      orderConfirmationMail({
        orderedBy: null,
        ...order,
        purchaseOrderNumber: "PO 7",
        validityYears: 2,
        promotionCode: "SPRING2026",
        discountCents: 1000,
        netCents: 57000,
        vatCents: 11400,
        totalCents: 68400,
        contactIs: "asked" as const,
      }),
    says: ["SO-1001", "PO 7", "2 years", "SPRING2026", "€10.00", "€570.00", "€114.00", "€684.00", "identity checks"],
  },
  "order of codes": {
    mail: () =>
      codeOrderMail({
        orderedBy: null,
        ...codes,
        perCodeCents: 30000,
        netCents: 90000,
        vatCents: 18000,
        totalCents: 108000,
      }),
    says: ["SO-1001", "PO 7", "OSCAR Code Basic", "€300.00", "€900.00", "€180.00", "€1,080.00", "An invoice follows."],
  },
  "available codes": {
    mail: () => codesAvailableMail(codes),
    says: ["SO-1001", "PO 7", "OSCAR Code Basic", "Your codes are available"],
  },
  "authorisation request": {
    greets: false,
    mail: () =>
      contactAuthorisationMail({
        ...order,
        askedOn: null,
        applicantName: "Anna Müller",
        applicantEmail: "anna@example.com",
        preparedBy: "Tom Taylor",
        company: "Example Ltd",
        organisation: "Example Ltd",
        alternativeNames: ["edi.example.com", "oftp://O0177"],
        renewed: null,
        replaced: null,
        corrected: null,
        changes: [],
        validity: "1 year",
        validFor: "30 days",
      }),
    says: [
      "anna@example.com",
      "Tom Taylor",
      "Example Ltd",
      "edi.example.com, oftp://O0177",
      "1 year",
      "30 days",
      "refuse",
    ],
  },
  "certificate issued": {
    mail: () =>
      certificateIssuedMail({
        ...order,
        serialNumber: "0A1B",
        startDate: "2026-11-21T10:00:00.000Z",
        expiryDate: "2027-11-21T10:00:00.000Z",
        downloadUrl: url,
        files: [{ label: "Full chain, PEM", url: "https://portal.example/file", text: "For OS4X" }],
        repositoryUrl: "https://portal.example/certificate-repository",
      }),
    says: [
      "0A:1B",
      "21/11/2027",
      "Full chain, PEM",
      "https://portal.example/file",
      "For OS4X",
      "How to download",
      "How to install",
      "https://portal.example/certificate-repository",
    ],
  },
  "order rejected": {
    mail: () =>
      orderRejectedMail({
        ...order,
        reason: "The organisation could not be verified.",
        promotionCode: "WELCOME2026",
        refund: "€348.00, paid on 05/11/2026, are to be paid back.",
      }),
    says: [
      "rejected",
      "could not be verified",
      "You can use the promotion code WELCOME2026 again.",
      "What you have paid for this order will be paid back.",
    ],
  },
  "order cancelled": {
    mail: () => orderCancelledMail({ ...order, reason: "Ordered twice", promotionCode: null, refund: null }),
    says: ["cancelled", "Ordered twice"],
  },
  "certificate revoked": {
    mail: () =>
      certificateRevokedMail({
        ...order,
        serialNumber: "0A1B",
        revocationDate: "2026-11-21T10:00:00.000Z",
        reason: "Key Compromised",
        isKeyCompromised: true,
        description: null,
      }),
    says: ["0A:1B", "21/11/2026 10:00:00 UTC", "Key Compromised", "irreversible", "with a new key"],
  },
};

describe("messages", () => {
  test.each(Object.entries(MESSAGES))(
    "[MAI-01] %s: text and HTML have the same content, signed and with the legal footer",
    (_name, { mail, says, greets = true }) => {
      const { subject, text, html } = mail();
      expect(subject.length).toBeGreaterThan(10);
      for (const words of says) {
        expect(text).toContain(words);
        expect(html).toContain(words);
      }
      expect(text).toContain(url);
      expect(text).not.toContain("button");
      expect(html).toContain('href="https://portal.example/x?a=1&amp;b=2"');
      expect(text).toContain(greets ? "Hello Anna <b>Müller</b>," : "Hello,");
      expect(html).toContain(greets ? "Hello Anna &lt;b&gt;Müller&lt;/b&gt;," : "Hello,");
      expect(html).not.toContain("<b>");
      for (const part of [text, html]) {
        expect(part).toContain("Supply Chain CA");
        expect(part).toContain("Example Association Limited");
        expect(part).toContain("Registered in England no. 01234567");
        expect(part).not.toMatch(/undefined|null|NaN/);
      }
    },
  );

  test("[MAI-01] typed texts stay on their line, and empty facts are omitted", () => {
    const { subject, text } = composeMail({
      subject: "Order\r\nBcc: x@example.com",
      greeting: "Anna\n\nYour password is wrong",
      paragraphs: ["One."],
      facts: [
        ["Company", "A\nB"],
        ["Nothing", ""],
      ],
      next: "Do\nthis.",
      action: { label: "Do it", url },
    });
    expect(subject).toBe("Order Bcc: x@example.com");
    expect(text).toContain("Hello Anna Your password is wrong,");
    expect(text).toContain("Company: A B");
    expect(text).not.toContain("Nothing");
    expect(text).toContain(`Do this.\n\nDo it:\n${url}`);
  });
});

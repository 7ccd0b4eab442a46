import { describe, expect, test } from "vitest";
import { CODE_HELP } from "~/components/codes/details-panel";
import { HELP as OTHERS } from "~/components/forms/help-texts";
import { ORDER_HELP } from "~/components/purchase/order-help-texts";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import * as complete from "~/routes/_public.complete-registration";
import * as prepareCsr from "~/routes/_public.prepare-csr";
import * as register from "~/routes/_public.register/route";
import * as codeInvoice from "~/routes/home.code.purchase.invoice-address";
import * as codeOrder from "~/routes/home.code.purchase.order/route";
import * as codeDetails from "~/routes/home.codes_.code-details/route";
import * as codeContact from "~/routes/home.codes_.code-details_.contact-details";
import * as userManagement from "~/routes/home.user-management/route";
import { begin, ENTITY, openContact } from "../support/code-details";
import { createCode } from "../support/codes";
import { createUser } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText, select } from "../support/page";
import { usePeople } from "../support/people";
import { usePortal } from "../support/portal";
import { openPage } from "../support/route-page";
import { anonymous, signedInAs } from "../support/visitor";
import { purchase } from "../support/wizard-routes";
import { buyerAtInvoice as codeBuyerAtInvoice, buyerAtOrder } from "./code-purchase-journey";
import { buyerAtInvoice, newBuyer } from "./purchase-journey";

const certificateContact = purchase.contact;
const certificateInvoice = purchase.invoice;
const certificateOrder = purchase.order;

usePortal();
const people = usePeople();
const { makeCsr } = useOpenssl();
const csr = makeCsr();

const open = async (...args: Parameters<typeof openPage>) => (await openPage(...args)).html;

async function subEntity() {
  const { id } = await createCode(people.customer);
  const { visitor } = people.customer;
  return { visitor, path: await begin(visitor, { parent: id }) };
}

async function importedCsr() {
  const buyer = await newBuyer();
  await buyer.contact();
  await buyer.order({ csr: csr.pem, intent: "import" });
  return buyer;
}

/** The pages that have fields with help texts, as a browser without scripts gets them. */
const PAGES = {
  registration: async () => open(register, await anonymous(), paths.register),
  "complete registration": async () =>
    open(complete, await signedInAs(await createUser({ detailsMissing: true })), serverPaths.completeRegistration()),
  "user details": () => open(userManagement, people.customer.visitor, paths.userManagement),
  "authentication contact": () =>
    newBuyer().then((buyer) => open(certificateContact, buyer.visitor, buyer.url("contact-details"))),
  "certificate order": () => importedCsr().then((buyer) => open(certificateOrder, buyer.visitor, buyer.url("order"))),
  "certificate invoice": () =>
    buyerAtInvoice(csr.pem).then((buyer) => open(certificateInvoice, buyer.visitor, buyer.url("invoice-address"))),
  "code order": () => buyerAtOrder().then((buyer) => open(codeOrder, buyer.visitor, buyer.url("order"))),
  "code invoice": () =>
    codeBuyerAtInvoice().then((buyer) => open(codeInvoice, buyer.visitor, buyer.url("invoice-address"))),
  "code details": () => subEntity().then(({ visitor, path }) => open(codeDetails, visitor, path)),
  "code contact": async () => {
    const { visitor, path } = await subEntity();
    return open(codeContact, visitor, await openContact(visitor, path, ENTITY));
  },
  "prepare a CSR": async () => open(prepareCsr, await anonymous(), "/prepare-csr"),
};

type Page = keyof typeof PAGES;

/** The page and field to which each help text belongs. The criteria of the authentication contact are shown above its fields. */
const HELP = { ...OTHERS, ...CODE_HELP, ...ORDER_HELP };

const FIELDS: Record<keyof typeof HELP, [page: Page, field: string][]> = {
  vat: [
    ["complete registration", "vatNumber"],
    ["user details", "vatNumber"],
    ["certificate invoice", "vat"],
    ["code invoice", "vat"],
  ],
  codeVat: [["code details", "vatNumber"]],
  tax: [
    ["complete registration", "taxNumber"],
    ["user details", "taxNumber"],
  ],
  companyRegistration: [
    ["complete registration", "companyRegistrationNumber"],
    ["user details", "companyRegistrationNumber"],
  ],
  customerOrderNumber: [
    ["certificate order", "purchaseOrderNumber"],
    ["code order", "purchaseOrderNumber"],
  ],
  promotionCode: [["certificate order", "promoCode"]],
  shortName: [["code details", "shortName"]],
  tradeName: [["code details", "tradeName"]],
  dunsNumber: [["code details", "dunsNumber"]],
  directParentId: [["code details", "directParentId"]],
  domesticUltimateParentId: [["code details", "domesticParentId"]],
  globalUltimateParentId: [["code details", "globalParentId"]],
  subCode: [["code details", "subcode"]],
  phoneNumber: [
    ["registration", "telephoneNumber"],
    ["user details", "telephoneNumber"],
    ["authentication contact", "phoneNumber"],
    ["certificate invoice", "phoneNumber"],
    ["code invoice", "phoneNumber"],
    ["code contact", "phoneNumber"],
    ["code contact", "mobile"],
    ["code contact", "fax"],
  ],
  ssid: [
    ["certificate order", "oftpid"],
    ["prepare a CSR", "oftpid"],
  ],
  hasSecureSession: [["certificate order", "hasSecureSession"]],
  hasEmail: [["certificate order", "hasEmail"]],
  hasEncryption: [["certificate order", "hasEncryption"]],
  hasFileSigning: [["certificate order", "hasFileSigning"]],
};

/** Returns the help of a field: the text to which `aria-describedby` refers, or the text behind the <summary> below its label. */
function helpOf(html: string, name: string): string {
  const { id, "aria-describedby": described = "" } = select(html, `[name="${name}"]:not([type="hidden"])`).attr() ?? {};
  const hints = described.split(" ").map((hint) => select(html, `p[id="${hint}"]`).html() ?? "");
  const untilControl = select(html, `label[for="${id}"]`).nextUntil(`[id="${id}"], :has([id="${id}"])`);
  const folded = untilControl.filter('details:has(> summary:contains("Help with "))').html() ?? "";
  return pageText([...hints, folded].join(" "));
}

describe("[GEN-06] help texts without scripts are beside their fields or behind a native <summary> that the keyboard reaches", () => {
  for (const page of Object.keys(PAGES) as Page[]) {
    const fields = Object.entries(FIELDS).flatMap(([help, places]) =>
      places.filter(([on]) => on === page).map(([, field]) => [field, HELP[help as keyof typeof HELP]] as const),
    );
    test(`[GEN-06] ${page}: ${fields.map(([field]) => field).join(", ")}`, async () => {
      const html = await PAGES[page]();
      for (const [field, help] of fields)
        expect([field, helpOf(html, field)]).toEqual([field, expect.stringContaining(help)]);
    });
  }

  test("[GEN-06] [PUR-02] authContactInfo is shown word for word above the fields (PUR-02)", async () => {
    const text = pageText(await PAGES["authentication contact"]());
    expect(text).toContain(
      "The authentication contact must be someone other than the order creator, employed by the organisation, able to authorise the order, with a company e-mail in their own name.",
    );
  });
});

describe("[GEN-06] the message for a telephone number", () => {
  const PLEASE = "Please begin with + and the code of the country.";
  const hintFor = async (telephoneNumber: string) => {
    const html = await open(register, await anonymous(), paths.register, {
      fields: { telephoneNumber, firstName: "" },
    });
    return helpOf(html, "telephoneNumber");
  };

  test.each(["020 7946 0123", "0049 221 1", "(0) 44 {1}", "1+2"])("for '%s' asks for a leading +", async (number) => {
    expect(await hintFor(number)).toContain(PLEASE);
  });

  test.each(["+44 20 7946 0123", " +1", "(+49) 221", "{+49} 1", ""])(
    "does not ask for a leading + for '%s'",
    async (number) => {
      expect(await hintFor(number)).not.toContain(PLEASE);
    },
  );
});

import { describe, expect, test } from "vitest";
import { STAFF_RIGHTS } from "~/domain/accounts/rights.policy";
import { SECTIONS, TILES, tilesOf, type TileViewer } from "~/domain/homepage/tiles";

const viewer = (rights: Partial<TileViewer>): TileViewer => ({
  isApplicant: false,
  rights: [],
  role: "owner",
  codeCount: 0,
  ...rights,
});

/** Returns the titles of the tiles that the rules allow, even if their pages do not exist. */
const foreseen = (rights: Partial<TileViewer>) =>
  TILES.filter(({ isFor }) => isFor(viewer(rights))).map(({ section, title }) => `${section}: ${title}`);

const CODES = "ID Codes: Order & Manage Your ID Codes";
const SEARCH = "ID Codes: Search The ID Code Register";
const ALL_CODES = "ID Codes: View ID Codes";
const SALES = "ID Codes: View Sales Orders";
const CERTIFICATES = "Certificates: Order & Manage Your Certificates";
const ALL_CERTIFICATES = "Certificates: View Certificates";
const ADMINISTRATION = [
  "Administration: Manage Secure",
  "Administration: Overview",
  "Administration: Certificate queue",
  "Administration: Companies",
  "Administration: Users",
  "Administration: Promotion codes",
  "Administration: Audit trail",
  "Administration: Security events",
  "Administration: Jobs",
  "Administration: Email",
];

describe("dashboard tiles by right and code count", () => {
  test.each([
    ["nobody in particular", {}, []],
    ["an owner of a code without rights", { codeCount: 1 }, [SEARCH]],
    ["an applicant without codes", { isApplicant: true }, [CODES, CERTIFICATES]],
    ["an applicant with one code", { isApplicant: true, codeCount: 1 }, [CODES, SEARCH, CERTIFICATES]],
    ["an administrator", { rights: STAFF_RIGHTS }, [SEARCH, ALL_CODES, SALES, ALL_CERTIFICATES, ...ADMINISTRATION]],
    [
      "a registration officer",
      { rights: ["registration-officer"] },
      [
        SEARCH,
        ALL_CODES,
        ALL_CERTIFICATES,
        "Administration: Overview",
        "Administration: Certificate queue",
        "Administration: Companies",
      ],
    ],
    [
      "an operator",
      { rights: ["operator"] },
      ["Administration: Manage Secure", "Administration: Overview", "Administration: Jobs", "Administration: Email"],
    ],
    [
      "an administrator who is an applicant",
      { rights: STAFF_RIGHTS, isApplicant: true },
      [CODES, SEARCH, SALES, CERTIFICATES, ...ADMINISTRATION],
    ],
  ] as const)("[DSH-01] %s", (_who, rights, titles) => {
    expect(foreseen(rights)).toEqual(titles);
  });

  test("[DSH-01] a tile without a page is not shown, and every other one leads to its page", () => {
    for (const section of SECTIONS) {
      const all = viewer({ rights: STAFF_RIGHTS, isApplicant: true, codeCount: 1 });
      const expected = TILES.filter((tile) => tile.section === section && tile.page !== null && tile.isFor(all));
      expect(tilesOf(section, all)).toEqual(
        expected.map(({ title, text, page }) => ({ tile: title, title, text, page })),
      );
    }
  });

  test.each([
    ["purchaser", "Order & Manage Your Certificates: Buy, download, renew and revoke certificates."],
    ["technical", "Your Certificates: Download certificates, and prepare their renewal."],
    ["reader", "Your Certificates: The certificates of your company, and when they end."],
  ] as const)("[DSH-01] tells somebody with the role %s only what the role may do", (role, expected) => {
    const tiles = tilesOf("Certificates", viewer({ isApplicant: true, role }));
    expect(tiles.map(({ title, text }) => `${title}: ${text}`)).toEqual([expected]);
    const [codes] = tilesOf("ID Codes", viewer({ isApplicant: true, role }));
    expect(codes?.text.startsWith("Buy codes")).toBe(role === "purchaser");
  });
});

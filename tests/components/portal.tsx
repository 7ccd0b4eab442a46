import { createRequestHandler, json, type ActionFunction, type ServerBuild } from "@remix-run/node";
import { Outlet, useRouteError } from "@remix-run/react";
import { Document } from "~/components/shell/document";
import { ErrorPage } from "~/components/shell/error-page";
import { type Shell } from "~/domain/shell";
import * as entry from "~/entry.server";

export const shell: Shell = {
  user: null,
  csrf: "csrf-token",
  toast: null,
  unsent: null,
  theme: "system",
  publicPage: null,
  loadedAt: "2026-01-01T00:00:00.000Z",
  portal: {
    name: "Supply Chain CA",
    links: {
      helpLink: "https://example.org/help",
      pricingLink: "https://example.org/pricing",
      contactLink: "https://example.org/contact",
      faqLink: "https://example.org/faq",
      prepareCsrLink: "https://example.org/csr",
      termsAndConditionsLink: "https://example.org/terms",
      cookiesLink: "https://example.org/cookies",
      privacyPolicyLink: "https://example.org/privacy",
    },
    legal: {
      company: "Example Association Ltd",
      address: "1 Example Street, London",
      registration: ["Registered no. 1234567"],
      phone: "+44 20 7123 4567",
      fax: "+44 20 7123 4568",
      social: [{ name: "LinkedIn", url: "https://social.example/association" }],
    },
    pasteBlocking: true,
  },
};

export const anna: NonNullable<Shell["user"]> = {
  id: 7,
  name: "Anna Müller",
  email: "anna@example.org",
  company: "Example Parts Ltd",
  companies: [],
  seesQueue: false,
  staffRow: null,
  isApplicant: true,
  headerDisabled: false,
  impersonator: null,
};

interface Page {
  view: () => React.ReactNode;
  action?: ActionFunction;
  loader?: () => unknown;
  title?: string;
  shell?: Partial<Shell>;
}

const route = (id: string, parentId: string | undefined, path: string) => ({ id, parentId, path });
const asset = { module: "/build/page.js", hasErrorBoundary: false, hasClientAction: false, hasClientLoader: false };

/** Returns a build with one page: the component under test with the real document, error boundary and server entry. */
function buildOf(page: Page): ServerBuild {
  const root = route("root", undefined, "");
  const only = route("page", "root", "*");
  return {
    entry: { module: entry },
    mode: "production",
    publicPath: "/build/",
    assetsBuildDirectory: "public/build",
    isSpaMode: false,
    future: { v3_fetcherPersist: true, v3_relativeSplatPath: true, v3_throwAbortReason: true },
    routes: {
      root: {
        ...root,
        module: {
          Layout: Document,
          default: () => <Outlet />,
          ErrorBoundary: () => <ErrorPage error={useRouteError()} />,
          loader: () => json({ ...shell, ...page.shell }),
          meta: () => [{ title: page.title ?? "Page - Supply Chain CA" }],
        },
      },
      page: { ...only, module: { default: page.view, action: page.action, loader: page.loader ?? (() => null) } },
    },
    assets: {
      version: "test",
      url: "/build/manifest.js",
      entry: { module: "/build/entry.js", imports: [] },
      routes: {
        root: { ...root, ...asset, hasErrorBoundary: true, hasLoader: true, hasAction: false },
        page: { ...only, ...asset, hasLoader: true, hasAction: page.action !== undefined },
      },
    },
  } as unknown as ServerBuild;
}

/** Returns the HTML that a browser without scripts receives. With `body`, the request is a POST. */
export async function visit(page: Page, { path = "/page", body }: { path?: string; body?: URLSearchParams } = {}) {
  const request = new Request(`http://portal.test${path}`, body && { method: "POST", body });
  const answer = await createRequestHandler(buildOf(page), "production")(request, {
    cspNonce: "test-nonce",
    requestId: "request-1",
  });
  return { status: answer.status, html: (await answer.text()).replaceAll("<!-- -->", "") };
}

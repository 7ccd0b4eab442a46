import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { type StaffPlace, type StaffRow } from "~/domain/homepage/staff-row.server";
import { type Shell } from "~/domain/shell";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";

/** Draws a shield with a keyhole. */
function Logo() {
  return (
    <svg
      viewBox="0 0 28 28"
      width="28"
      height="28"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.4"
      aria-hidden="true"
    >
      <path d="M14 2.5 24.5 6v8.5c0 5.6-4.3 9.4-10.5 11.5C7.8 23.9 3.5 20.1 3.5 14.5V6z" strokeLinejoin="round" />
      <circle cx="14" cy="12" r="2.6" />
      <path d="M14 14.6V19" strokeLinecap="round" />
    </svg>
  );
}

interface Place {
  to: string;
  label: string;
  /** Further path prefixes under which this entry is the current one. Paths below `to` always belong to it. */
  area?: readonly string[];
}

const loggedOut: Place[] = [{ to: paths.publicRepository, label: "Repository" }];
const loggedIn: Place[] = [
  { to: paths.dashboard, label: "Home" },
  {
    to: paths.certificates,
    label: "Certificates",
    area: ["/home/certificate/", "/home/certificate-details/", "/home/certificate-download/"],
  },
  { to: paths.codes, label: "ID Codes", area: ["/home/code/", paths.searchCodes] },
  { to: paths.homeRepository, label: "Repository" },
];
const forStaff: Place[] = [{ to: paths.certificateQueue, label: "Certificate queue" }];

/** The header with the navigation for the user's rights. A disabled header shows only the logo, the user's name and the logout button. */
export function SiteHeader({ shell }: { shell: Shell }) {
  const { user, portal } = shell;
  return (
    <header className="top">
      <div className="wrap">
        <Link to={paths.root} className="logo">
          <Logo />
          {portal.name}
        </Link>
        {user?.headerDisabled ? <Account user={user} /> : <Menu shell={shell} />}
      </div>
    </header>
  );
}

/**
 * What the header offers. On narrow screens a button opens it, with the row of staff below. What opens stands beside the `details` and not in
 * it, so that the styles of wide screens can show it in every browser. The menu closes when another page is opened.
 */
function Menu({ shell }: { shell: Shell }) {
  const { key } = useLocation();
  const { user } = shell;
  return (
    <>
      <details className="menu" key={key}>
        <summary>Menu</summary>
      </details>
      <div className="menu-body">
        <MainNavigation shell={shell} />
        {user && <Find />}
        {user && user.companies.length > 0 && <CompanyChoice companies={user.companies} />}
        {user && <Account user={user} />}
      </div>
    </>
  );
}

/** The pages of the portal, then the external links, which open in the same tab. */
function MainNavigation({ shell: { user, portal } }: { shell: Shell }) {
  const inside = user ? loggedIn : loggedOut;
  const outside = [
    { href: portal.links.pricingLink, label: "Pricing" },
    { href: portal.links.contactLink, label: "Contact Us" },
    { href: portal.links.helpLink, label: "Help" },
  ];
  return (
    <nav aria-label="Main">
      <ul className="nav" role="list">
        {[...inside, ...(user?.seesQueue ? forStaff : [])].map((place) => (
          <li key={place.to}>
            <PlaceLink {...place} />
          </li>
        ))}
        {outside.map(({ href, label }) => (
          <li key={label}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const StaffPlaceItem = ({ waits, ...place }: StaffPlace) => (
  <li>
    <PlaceLink {...place}>
      {waits && (
        <>
          {" "}
          <small>{waits.count}</small>
          <small className="vh"> {waits.what}</small>
        </>
      )}
    </PlaceLink>
  </li>
);

/** The pages of staff, with what waits there. The menu closes when another page is opened. */
export function StaffLinks({ row: { places, more } }: { row: StaffRow }) {
  const { key } = useLocation();
  return (
    <nav aria-label="Staff" className="staff">
      <div className="wrap">
        <ul className="nav" role="list">
          {places.map((place) => (
            <StaffPlaceItem key={place.to} {...place} />
          ))}
          {more.length > 0 && (
            <li>
              <details key={key}>
                <summary>More</summary>
                <ul role="list">
                  {more.map((place) => (
                    <StaffPlaceItem key={place.to} {...place} />
                  ))}
                </ul>
              </details>
            </li>
          )}
        </ul>
      </div>
    </nav>
  );
}

/** The search of everything. The script that moves the focus to it and suggests results is loaded after the page. */
function Find() {
  useEffect(() => void import("./after-load"), []);
  return (
    <form action="/home/search" className="find">
      <input type="search" name="q" aria-label="Search everything" placeholder="Search..." maxLength={200} />
      <button className="btn small" aria-label="Search everything">
        Search
      </button>
    </form>
  );
}

function PlaceLink({ to, label, area = [], children }: Place & { children?: ReactNode }) {
  const { pathname } = useLocation();
  const isWithin = area.some((beginning) => pathname.startsWith(beginning));
  return isWithin ? (
    <Link to={to} className="active" aria-current="page">
      {label}
      {children}
    </Link>
  ) : (
    <NavLink to={to}>
      {label}
      {children}
    </NavLink>
  );
}

/** Chooses the company in which the user works. */
function CompanyChoice({ companies }: Pick<NonNullable<Shell["user"]>, "companies">) {
  const current = companies.find(({ isCurrent }) => isCurrent);
  return (
    <Form method="post" action={paths.chooseCompany} className="company-choice">
      <CsrfField />
      <label htmlFor="company-choice" className="vh">
        Company
      </label>
      <select id="company-choice" name="company" defaultValue={String(current?.id ?? "")} key={current?.id}>
        {companies.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" className="btn small">
        Switch
      </button>
    </Form>
  );
}

/** Returns the company for which a customer works, or null where a choice or the bar of somebody who acts as the user names it. */
function onlyCompany(user: NonNullable<Shell["user"]>): string | null {
  const isNamedElsewhere = user.companies.length > 0 || user.impersonator !== null;
  return user.isApplicant && !isNamedElsewhere && !user.headerDisabled ? user.company || null : null;
}

/** The user's company and name, which links to user management, and the logout button. */
function Account({ user }: { user: NonNullable<Shell["user"]> }) {
  const { name, headerDisabled } = user;
  const company = onlyCompany(user);
  return (
    <Form method="post" action={paths.logout} className="nav account">
      <CsrfField />
      {company && (
        <span className="name">
          <span className="vh">Company: </span>
          <bdi>{company}</bdi>
        </span>
      )}
      {headerDisabled ? (
        <span className="name">{name}</span>
      ) : (
        <NavLink to={paths.userManagement} className="name">
          {name}
        </NavLink>
      )}
      <button type="submit">Log out</button>
    </Form>
  );
}

import { Link } from "@remix-run/react";
import { type AdministeredUserView } from "~/domain/accounts/administration/user-administration-view.server";
import { mailQueueList } from "~/domain/mail/mail-queue-list";
import { orderNumber } from "~/domain/orders/order-number";
import { paths } from "~/lib/paths";
import { VatNumber } from "../accounts/vat-number";
import { AuditActor } from "../audit/audit-actor";
import { CompanyLink } from "../companies/names";
import { DataTable } from "../lists/data-table";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { Badge, StatusBadge } from "../ui/status-badge";
import { Time } from "../ui/time";

interface Props {
  user: AdministeredUserView;
}

export function AccountCard({ user }: Props) {
  return (
    <Card title="Account">
      <DescriptionList
        items={[
          { term: "State", detail: <State user={user} /> },
          { term: "Rights", detail: user.rights.map(({ name }) => name).join(", ") || "None" },
          { term: "User name", detail: user.username },
          { term: "Email", detail: <Email user={user} /> },
          ...user.identities.map((identity) => ({ term: "Single sign-on", detail: <Identity {...identity} /> })),
          ...(user.heldMails > 0 ? [{ term: "Held messages", detail: <HeldMails user={user} /> }] : []),
          ...(user.failingMail ? [{ term: "Messages", detail: <FailingMail user={user} /> }] : []),
          ...(user.passwordLink || user.awaitsPassword
            ? [{ term: "Link to choose a password", detail: <PasswordLink user={user} /> }]
            : []),
          ...(user.pendingEmail ? [{ term: "New email", detail: <PendingEmail {...user.pendingEmail} /> }] : []),
          { term: "Last login", detail: user.lastLoginAt ? <Time value={user.lastLoginAt} withTime /> : "Never" },
          { term: "Wrong passwords", detail: `${user.failedLogins} since the last login or lock` },
          { term: "Registered", detail: <Time value={user.createdAt} withTime /> },
          { term: "Certificates", detail: user.belongings.certificates },
          { term: "Codes", detail: user.belongings.codes },
          { term: "Orders", detail: user.belongings.orders },
        ]}
      />
    </Card>
  );
}

function State({ user: { state, lock, lockedUntil, adminLockedAt, mergedInto } }: Props) {
  return (
    <span>
      <StatusBadge status={state} />
      {state === "Locked" && lock === "administrator" && (
        <>
          {" by an administrator since "}
          <Time value={adminLockedAt} withTime />
        </>
      )}
      {state === "Locked" && lock === "wrong-passwords" && (
        <>
          {" for unknown browsers and networks, because of wrong passwords, until "}
          <Time value={lockedUntil} withTime />
        </>
      )}
      {mergedInto && (
        <>
          {" into "}
          <Link to={paths.user(mergedInto.id)}>{mergedInto.username}</Link>
        </>
      )}
    </span>
  );
}

function Email({ user: { email, emailVerifiedAt } }: Props) {
  return (
    <span>
      {email} {emailVerifiedAt ? <Badge tone="ok">Confirmed</Badge> : <Badge tone="warn">Not confirmed</Badge>}
    </span>
  );
}

/** Says at which identity provider the person logs in. */
function Identity({ issuer, linkedAt }: AdministeredUserView["identities"][number]) {
  return (
    <span>
      Linked with {issuer} since <Time value={linkedAt} withTime />
    </span>
  );
}

/** Says that messages do not reach the address. */
function FailingMail({ user: { email, failingMail } }: Props) {
  if (!failingMail) return null;
  return (
    <span>
      <StatusBadge status={failingMail.rejectedAt ? "Rejected" : "Failing"} /> since{" "}
      <Time value={failingMail.failingSince} withTime />: <bdi>{failingMail.lastError}</bdi>{" "}
      <Link to={mailQueueList.href({ search: email })}>See the messages</Link>
    </span>
  );
}

/** Says how many messages wait until the address is confirmed: those to contacts and those to the address itself. */
function HeldMails({ user: { heldMails } }: Props) {
  return (
    <span>
      {heldMails === 1 ? "One message waits" : `${heldMails} messages wait`} until the address is confirmed{" "}
      <Link to={mailQueueList.href({ state: "Held" })}>See the held messages</Link>
    </span>
  );
}

/** Says how long the person can use the link to choose a password, and what to do when there is none. */
function PasswordLink({ user: { passwordLink, awaitsPassword, isChangeable } }: Props) {
  return (
    <span>
      {awaitsPassword && "The person has chosen no password yet. "}
      {passwordLink ? (
        <>
          Sent <Time value={passwordLink.sentAt} withTime />, can be used until{" "}
          <Time value={passwordLink.expiresAt} withTime />
        </>
      ) : (
        `No link can be used now.${isChangeable ? " Send reset link sends a new one." : ""}`
      )}
    </span>
  );
}

const PendingEmail = ({ email, expiresAt }: { email: string; expiresAt: string }) => (
  <span>
    {email} <Badge tone="warn">Not confirmed</Badge> until <Time value={expiresAt} withTime />
  </span>
);

/** Returns whether the account is one whose details can be changed. What a closed account is, its state says. */
const isOpen = ({ isChangeable, state }: AdministeredUserView) =>
  isChangeable && (state === "Active" || state === "Locked");

/** What the account says about its person and company. An erased person belongs to no company any more. */
export function ProfileCard({ user }: Props) {
  if (user.state === "Erased")
    return (
      <Card title="Details">
        <DescriptionList items={[{ term: "Name", detail: <bdi>{user.name}</bdi> }]} />
      </Card>
    );
  return (
    <Card title="Details">
      <DescriptionList
        items={[
          { term: "Name", detail: <bdi>{user.name}</bdi> },
          { term: "Position", detail: user.position },
          { term: "Telephone", detail: user.telephoneNumber },
          { term: "Company", detail: <CompanyLink id={user.companyId} name={user.company} /> },
          ...(user.companies.length > 1
            ? [{ term: "Companies", detail: <Memberships companies={user.companies} /> }]
            : []),
          { term: "Company registration number", detail: user.companyRegistrationNumber },
          { term: "Tax number", detail: user.taxNumber },
          { term: "VAT number", detail: user.vat && <VatNumber {...user.vat} /> },
          { term: "Company address", detail: <AddressLines lines={user.addresses.company} /> },
          { term: "Invoicing address", detail: <AddressLines lines={user.addresses.invoicing} /> },
          { term: "Mailing address", detail: <AddressLines lines={user.addresses.mailing} /> },
        ]}
      />
      {isOpen(user) && user.personBarrier && <p className="hint">{user.personBarrier}</p>}
    </Card>
  );
}

const Memberships = ({ companies }: { companies: AdministeredUserView["companies"] }) => (
  <ul role="list">
    {companies.map(({ role, ...company }) => (
      <li key={company.id}>
        <CompanyLink {...company} />, {role}
      </li>
    ))}
  </ul>
);

/** An address, a line each. */
export function AddressLines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return "–";
  return lines.map((line, index) => (
    <div key={index}>
      <bdi>{line}</bdi>
    </div>
  ));
}

type Entry = AdministeredUserView["entries"][number];

/** The message of an entry, with the number of its order, when the message does not have it. */
function eventText({ orderId, message }: Entry): string {
  const order = orderId === null ? "" : orderNumber(orderId);
  return message.includes(order) ? message : `${order}: ${message}`;
}

export function UserAuditTable({ entries }: { entries: readonly Entry[] }) {
  return (
    <DataTable
      caption="Recent events"
      summary={entries.length > 0 ? "newest first" : undefined}
      columns={[
        { key: "at", label: "When", cell: (row) => <Time value={row.at} withTime /> },
        { key: "actor", label: "Who", cell: (row) => <AuditActor {...row} /> },
        { key: "message", label: "What", cell: eventText },
      ]}
      rows={entries}
      rowKey={(row) => row.id}
    />
  );
}

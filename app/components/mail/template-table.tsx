import { Link } from "@remix-run/react";
import { type TemplateItem } from "~/domain/mail/preview.service.server";
import { staffPaths } from "~/lib/staff-paths";
import { DataTable } from "../lists/data-table";
import { type Column } from "../lists/table-columns";

const COLUMNS: Column<TemplateItem>[] = [
  {
    key: "title",
    label: "Message",
    rowHeader: true,
    cell: ({ kind, title }) => <Link to={staffPaths.mailTemplate(kind)}>{title}</Link>,
  },
  { key: "about", label: "Sent", cell: ({ about }) => about },
  { key: "subject", label: "Subject", cell: ({ subject }) => subject },
];

/** The kinds of message. Each links to its preview. */
export const TemplateTable = ({ templates }: { templates: readonly TemplateItem[] }) => (
  <DataTable caption="Templates" columns={COLUMNS} rows={templates} rowKey={({ kind }) => kind} />
);

import { type CompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { VatNumber } from "../accounts/vat-number";
import { Card } from "../ui/card";
import { DescriptionList } from "../ui/description-list";
import { Time } from "../ui/time";
import { AddressLines } from "../users/user-cards";

const membersText = ({ total, confirmed }: CompanyPage["memberCount"]) =>
  total === 0 ? "None" : `${total}, of whom ${confirmed} confirmed the email address`;

/** The details of a company and its addresses. */
export const CompanyCards = ({ company }: { company: CompanyPage }) => (
  <div className="pairs">
    <Card title="Details">
      <DescriptionList
        items={[
          { term: "Name", detail: <bdi>{company.name}</bdi> },
          { term: "Company registration number", detail: company.companyRegistrationNumber },
          { term: "Tax number", detail: company.taxNumber },
          { term: "VAT number", detail: company.vat && <VatNumber {...company.vat} /> },
          { term: "Since", detail: <Time value={company.createdAt} /> },
          { term: "Members", detail: membersText(company.memberCount) },
        ]}
      />
    </Card>
    <Card title="Addresses">
      <DescriptionList
        items={[
          { term: "Company address", detail: <AddressLines lines={company.addresses.company} /> },
          { term: "Invoicing address", detail: <AddressLines lines={company.addresses.invoicing} /> },
          { term: "Mailing address", detail: <AddressLines lines={company.addresses.mailing} /> },
        ]}
      />
    </Card>
  </div>
);

import { Link } from "@remix-run/react";
import { type CodePage } from "~/domain/codes/code-page.server";
import { Card } from "../ui/card";

/** The certificates that carry the OFTP ID of a code, and the way to those in the register. */
export const CodeCertificates = ({ words, carriers, href }: NonNullable<CodePage["certificates"]>) => (
  <Card title="Certificates">
    <p>{words}</p>
    {carriers.length > 0 && (
      <ul>
        {carriers.map((one) => (
          <li key={one.id}>
            <Link to={one.href}>
              <bdi>{one.name}</bdi>
            </Link>
            , {one.text}
          </li>
        ))}
      </ul>
    )}
    <p>
      <Link to={href}>Certificates in the register</Link>
    </p>
  </Card>
);

// Another process of the portal that answers OCSP requests. It prints its port.
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { ocspResponder } from "~/domain/ocsp/answer.service.server";
import { ocspHandler } from "~/http/ocsp.server";

const ocsp = ocspHandler(ocspResponder());
const server = createServer((request, response) => ocsp(request, response, () => response.destroy()));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));

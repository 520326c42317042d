// Holds each object of a YAML file against the schema of its kind.
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

let faults = 0;
for (const document of parseAllDocuments(readFileSync(process.argv[2], "utf8"))) {
  const object = document.toJS();
  const [group, version] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : ["", object.apiVersion];
  const home = group.startsWith("gateway.") ? "@kubernetes-models/gateway-api" : "kubernetes-models";
  const folder = group === "" ? version : `${group}/${version}`;
  try {
    const kinds = await import(`${home}/${folder}`);
    if (!kinds[object.kind]) throw new Error("there is no such kind");
    new kinds[object.kind](object).validate();
  } catch (fault) {
    faults++;
    console.log(`${object.kind} ${object.metadata.name}: ${fault.message}`);
  }
}
process.exit(faults ? 1 : 0);

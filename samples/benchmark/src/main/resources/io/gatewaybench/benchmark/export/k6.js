// %s of gateway-bench. Run: %s
import http from 'k6/http';
import { check, sleep } from 'k6';

const TARGET = (__ENV.TARGET || %s).replace(/\/$/, '');

const REQUESTS = [
%s];

const TOTAL = REQUESTS.reduce((sum, each) => sum + each.weight, 0);

const EXPECTED = REQUESTS.map((each) => http.expectedStatuses(each.expect.status));

export const options = %s;

function draw() {
  let rest = Math.random() * TOTAL;
  for (let index = 0; index < REQUESTS.length - 1; index++) {
    rest -= REQUESTS[index].weight;
    if (rest < 0) {
      return index;
    }
  }
  return REQUESTS.length - 1;
}

export default function () {
  const index = draw();
  const request = REQUESTS[index];
  const path = request.paths[Math.floor(Math.random() * request.paths.length)];
  const response = http.request(request.method, TARGET + path, request.body, {
    headers: request.headers,
    tags: { name: request.name },
    timeout: '%dms',
    redirects: 0,
    responseType: 'binary',
    responseCallback: EXPECTED[index],
  });
  check(response, {
    'status': (each) => each.status === request.expect.status,
    'size': (each) => (each.body ? each.body.byteLength : 0) >= request.expect.minBytes,
  });
%s}

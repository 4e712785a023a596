"""A server with the interface of S3, which checks each signature, in this process."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKET = "nest"
_POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}],
}
# Requests that make the account, before the server asks who it is.
_UNASKED = 4


@contextmanager
def served() -> Iterator[dict[str, str]]:
    """The variables by which a program of AWS finds it. Skips where the package is not there."""
    moto = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}"
        told = {"region_name": "eu-central-1", "endpoint_url": url}
        first = boto3.Session(aws_access_key_id="x", aws_secret_access_key="x")
        connection = HTTPConnection(host, port)
        connection.request("POST", "/moto-api/reset-auth", str(_UNASKED))
        connection.getresponse().read()
        connection.close()
        iam = first.client("iam", **told)
        iam.create_user(UserName="bower")
        iam.put_user_policy(UserName="bower", PolicyName="all", PolicyDocument=json.dumps(_POLICY))
        key = iam.create_access_key(UserName="bower")["AccessKey"]
        first.client("s3", **told).create_bucket(
            Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"}
        )
        yield {
            "AWS_ACCESS_KEY_ID": key["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
            "AWS_REGION": "eu-central-1",
            "AWS_ENDPOINT_URL_S3": url,
        }
    finally:
        server.stop()

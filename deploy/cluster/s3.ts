/**
 * A storage that speaks S3, for trying the cluster on one machine: it accepts any keys. On real machines use Garage, SeaweedFS, Ceph or
 * a provider. Arguments: address, port, folder, bucket.
 */
import { startFauxqs } from 'fauxqs';

const [host = '127.0.0.1', port = '9000', dataDir = './s3', bucket = 'wiki'] = process.argv.slice(2);
const server = await startFauxqs({ host, port: Number(port), dataDir, logger: false });
server.createBucket(bucket);
process.on('SIGTERM', () => void server.stop().then(() => process.exit()));

import sys

from stormproof import CheckpointingProducer

producer = CheckpointingProducer({"bootstrap.servers": sys.argv[1]}, sys.argv[2], "stranger")
for i in range(500):
    producer.send(b"key%d" % i, b"value %d" % i)
producer.close()
